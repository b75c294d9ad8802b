import type { ValidatedRow } from './validate-rows'

/** The columns that `stagedText` writes, in its order. */
export const STAGED_COLUMNS = 'upload_id, row, outcome, cells, notes, message'

/** For Postgres' COPY text format: a tab ends a value, a line end a row. */
const escaped = (text: string) =>
  /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text

const element = (text: string | null) =>
  text === null ? 'NULL' : `"${/["\\]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : text}"`

const array = (texts: (string | null)[]) => escaped(`{${texts.map(element).join(',')}}`)

/** Validated rows as COPY reads them into `upload_rows`. */
export function stagedText(uploadId: number, rows: ValidatedRow[]): string {
  const line = ({ row, outcome, cells, notes, message }: ValidatedRow) =>
    `${uploadId}\t${row}\t${outcome}\t${array(cells)}\t${notes.length ? array(notes) : '\\N'}\t${message === null ? '\\N' : escaped(message)}\n`
  return rows.map(line).join('')
}
