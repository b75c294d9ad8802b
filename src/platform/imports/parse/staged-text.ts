import type { ValidatedRow } from './validate-rows'

export const STAGED_COLUMNS = 'upload_id, row, outcome, cells, original_cells, notes, message'

/** Escapes text for the COPY format of Postgres. In this format, a tab ends a value and a newline ends a row. */
const escaped = (text: string) =>
  /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text

const element = (text: string | null) =>
  text === null ? 'NULL' : `"${/["\\]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : text}"`

const array = (texts: (string | null)[]) => escaped(`{${texts.map(element).join(',')}}`)

export function stagedText(uploadId: number, rows: ValidatedRow[]): string {
  const line = ({ row, outcome, cells, originalCells, notes, message }: ValidatedRow) =>
    `${uploadId}\t${row}\t${outcome}\t${array(cells)}\t${originalCells ? array(originalCells) : '\\N'}\t${notes.length ? array(notes) : '\\N'}\t${message === null ? '\\N' : escaped(message)}\n`
  return rows.map(line).join('')
}
