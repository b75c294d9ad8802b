import type { ValidatedRow } from './validate-rows'

export const STAGED_COLUMNS = 'upload_id, row, outcome, cells, original_cells, notes, message'

/** Escapes text for the COPY format of Postgres. In this format, a tab ends a value and a newline ends a row. */
const escaped = (text: string) =>
  /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text

const element = (text: string | null) =>
  text === null ? 'NULL' : `"${/["\\]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : text}"`

const NULL = '\\N'
const array = (texts: (string | null)[]) => escaped(`{${texts.map(element).join(',')}}`)

export function stagedText(uploadId: number, rows: ValidatedRow[]): string {
  const line = ({ row, outcome, cells, originalCells, notes, message }: ValidatedRow) =>
    [
      uploadId,
      row,
      outcome,
      array(cells),
      originalCells ? array(originalCells) : NULL,
      notes.length ? array(notes) : NULL,
      message === null ? NULL : escaped(message),
    ].join('\t')
  return rows.map((row) => `${line(row)}\n`).join('')
}
