import type { z } from 'zod'
import type { Db } from '../../../../db/client'
import { accept } from '../../accept'
import type { Clock } from '../../clock'
import type { ImportKind } from '../../imports/kind'
import { exportColumns } from '../../imports/kinds'
import type { Listing } from '../../records/listing'
import type { TableColumn } from '../tables/table'

type Query = Record<string, unknown>

export type ListExport = {
  columns: TableColumn[]
  filters: z.ZodObject
  open: (db: Db, clock: Clock, query: Query) => Listing<{ id: number }>
}

export const listExport = <Filters extends z.ZodObject>(
  columns: TableColumn[],
  filters: Filters,
  open: (db: Db, clock: Clock, query: z.output<Filters>) => Listing<{ id: number }>,
): ListExport => ({ columns, filters, open: (db, clock, query) => open(db, clock, accept(filters, query)) })

export const countOf =
  (exportFor: (query: Record<string, string>) => ListExport) =>
  (db: Db, clock: Clock, query: Record<string, string>): Promise<number> =>
    exportFor(query).open(db, clock, query).count()

export const ownColumn = (key: string, kind: TableColumn['kind'] = 'text', label = key): TableColumn => ({
  key,
  label,
  kind,
})

/**
 * Returns the columns of an exported list. They include all import columns, so that the file can be imported again.
 * Additional columns (`own`) are inserted before the column `before`, or at the end.
 */
export function columnsOf(kind: ImportKind, own: TableColumn[] = [], before?: string): TableColumn[] {
  const imported: TableColumn[] = exportColumns(kind)
  const at = before ? imported.findIndex(({ key }) => key === before) : imported.length
  return imported.toSpliced(at, 0, ...own)
}
