import type { DataType } from '../../../db/vocabulary'
import { oslImport } from '../../features/osl/import'
import { registrationImport } from '../../features/registrations/import'
import { titleImport } from '../../features/titles/import'
import { transportImport } from '../../features/transports/import'
import type { ColumnKind, ImportColumn, ImportKind } from './kind'

/** Every kind of spreadsheet that can be imported. */
export const IMPORT_KINDS = {
  transports: transportImport,
  osl: oslImport,
  registrations: registrationImport,
  titles: titleImport,
} satisfies Record<DataType, ImportKind>

export const importKind = (dataType: DataType): ImportKind => IMPORT_KINDS[dataType]

/** The names of a kind's columns; staged rows keep their cells in this order. */
export const fieldsOf = (dataType: DataType): string[] => importKind(dataType).columns.map(({ name }) => name)

export const columnOf = (dataType: DataType, name: string): ImportColumn | undefined =>
  importKind(dataType).columns.find((column) => column.name === name)

/** A column as the guidelines and the questions show it. */
export type ShownColumn = { name: string; about: string }
export type ShownColumns = { required: ShownColumn[]; optional: ShownColumn[] }

export function shownColumns(dataType: DataType): ShownColumns {
  const { columns } = importKind(dataType)
  const shown = (isRequired: boolean) =>
    columns.filter((column) => column.isRequired === isRequired).map(({ name, about }) => ({ name, about }))
  return { required: shown(true), optional: shown(false) }
}

/** What a list's file shows of a kind's columns, under the names by which they import again. */
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
