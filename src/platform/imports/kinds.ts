import type { DataType } from '../../../db/vocabulary'
import { kinds } from '../kinds'
import type { ColumnKind, ImportColumn, ImportKind } from './kind'

export function importKind(dataType: DataType): ImportKind {
  const kind = kinds('imports')[dataType]
  if (!kind) throw new Error(`No import of ${dataType} is registered`)
  return kind
}

/** Returns the column names of an import kind. Staged rows store their cells in the same order. */
export const fieldsOf = (dataType: DataType): string[] => importKind(dataType).columns.map(({ name }) => name)

export const columnOf = (dataType: DataType, name: string): ImportColumn | undefined =>
  importKind(dataType).columns.find((column) => column.name === name)

export type ShownColumn = Pick<ImportColumn, 'name' | 'about' | 'kind'> & {
  words?: readonly string[] | undefined
  usual?: string | undefined
  rowDefaults?: { label: string; from: string }[]
}
export type ShownColumns = { required: ShownColumn[]; optional: ShownColumn[] }

export function shownColumns(dataType: DataType): ShownColumns {
  const { columns } = importKind(dataType)
  const shown = (isRequired: boolean) =>
    columns
      .filter((column) => column.isRequired === isRequired)
      .map(({ name, about, kind, words, usual, rowDefaults = [] }) => ({
        ...{ name, about, kind, words, usual },
        rowDefaults: rowDefaults.map(({ label, from }) => ({ label, from })),
      }))
  return { required: shown(true), optional: shown(false) }
}

/**
 * Returns the columns of a list's export file. Their labels are the headings of the import, so that the file can be
 * imported again.
 */
export function exportColumns({ columns }: ImportKind) {
  const kinds: Partial<Record<ColumnKind, 'date' | 'count' | 'money'>> = {
    date: 'date',
    count: 'count',
    money: 'money',
  }
  return columns.map(({ name, kind, column }) => ({
    key: kind === 'location' || kind === 'company' ? column.replace(/_id$/, '_name') : column,
    label: name,
    kind: kinds[kind] ?? ('text' as const),
  }))
}
