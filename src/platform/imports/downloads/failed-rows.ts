import type { DataType } from '../../../../db/vocabulary'
import { whileAllowed } from '../../http/while-allowed'
import { type SheetColumn, type SheetValue, xlsxStream } from '../../lists/tables/workbook'
import type { Write } from '../../records/transactions'
import { fieldsOf } from '../kinds'
import { REPEATED_HEADINGS } from '../parse/other-lines'
import { FAILED_COLUMNS, placeColumns } from '../parse/place-columns'
import { findUpload } from '../queries'
import { pagesOfFailedRows } from '../rows'

const column = (label: string, kind: SheetColumn['kind'], width: number): SheetColumn => ({ label, kind, width })

/**
 * Returns the columns of the workbook with failed rows.
 * `at` is the position of a column in the file, and `name` is its heading.
 * Usually returns all columns of the file. However, the importer may assign other fields to the headings of the
 * workbook than in this import. For example, the user may have chosen between two columns. In this case, returns only
 * the imported columns, with the field names as headings.
 */
function columnsToWrite(header: string[], fields: (string | null)[], dataType: DataType): [at: number, name: string][] {
  const names = header.map((name, at) => name.trim() || (fields[at] ?? ''))
  const placed = placeColumns(names, dataType).fields
  if (names.every((_, at) => (placed[at] ?? null) === (fields[at] ?? null))) return [...names.entries()]
  return fields.flatMap((field, at): [number, string][] => (field ? [[at, field]] : []))
}

/**
 * Returns an Excel workbook with the failed rows of an import.
 * The workbook also has the row numbers and errors, so that users can correct the rows and upload the workbook. Cells
 * are stored as text, so that Excel does not convert them.
 * @throws Missing when the upload does not exist
 */
export async function failedWorkbook(
  write: Pick<Write, 'db' | 'actor' | 'renewActor'>,
  id: number,
): Promise<AsyncGenerator<Uint8Array>> {
  const { db } = write
  const { data_type, found, defaults } = await findUpload(db, id)
  // Write each default value into a separate column. Remembered defaults would not apply to this workbook, because
  // the added columns Row and Reason make its headings differ from those of the uploaded file.
  const usedDefaults = fieldsOf(data_type).flatMap((field) => {
    const value = found?.fields.includes(field) ? undefined : defaults[field]
    return value ? [{ field, value }] : []
  })
  const written = columnsToWrite(found?.header ?? [], found?.fields ?? [], data_type)
  const columns = [
    ...written.map(([, name]) => column(name, 'text', Math.max(12, Math.min(40, name.length + 2)))),
    ...usedDefaults.map(({ field }) => column(field, 'text', 20)),
    column(FAILED_COLUMNS.row, 'count', 8),
    column(FAILED_COLUMNS.reason, 'text', 70),
  ]
  async function* batches(): AsyncGenerator<SheetValue[][]> {
    for await (const failed of whileAllowed(write, pagesOfFailedRows(db, id))) {
      yield failed.map(({ row, cells, message }) => [
        // A repeated heading row must repeat the headings of the workbook. Otherwise, it would begin a second table.
        ...written.map(([at, name]) => (message === REPEATED_HEADINGS ? name : (cells[at] ?? ''))),
        ...usedDefaults.map(({ value }) => value),
        row,
        message,
      ])
    }
  }
  return xlsxStream(columns, batches())
}
