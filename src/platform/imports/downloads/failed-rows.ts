import type { Db } from '../../../../db/client'
import { type SheetColumn, type SheetValue, xlsxStream } from '../../lists/tables/workbook'
import { fieldsOf } from '../kinds'
import { FAILED_COLUMNS } from '../parse/place-columns'
import { findUpload } from '../queries'
import { pagesOfFailedRows } from '../rows'

const column = (label: string, kind: SheetColumn['kind'], width: number): SheetColumn => ({ label, kind, width })

/**
 * The rows of an upload that failed, in the columns of their file, with the row that each was and the reason. Cells are
 * text, so that nothing is lost on the way through Excel; mended, the workbook can be uploaded as it is.
 * @throws Missing
 */
export async function failedWorkbook(db: Db, id: number): Promise<AsyncGenerator<Uint8Array>> {
  const { data_type, found, defaults } = await findUpload(db, id)
  // Rows that come back need them too, because their file has more columns and so another shape.
  const given = fieldsOf(data_type).flatMap((field) => {
    const value = found?.fields.includes(field) ? undefined : defaults[field]
    return value ? [{ field, value }] : []
  })
  const header = (found?.header ?? []).map((name, at) => name.trim() || (found?.fields[at] ?? ''))
  const columns = [
    ...header.map((name) => column(name, 'text', Math.max(12, Math.min(40, name.length + 2)))),
    ...given.map(({ field }) => column(field, 'text', 20)),
    column(FAILED_COLUMNS.row, 'count', 8),
    column(FAILED_COLUMNS.reason, 'text', 70),
  ]
  async function* batches(): AsyncGenerator<SheetValue[][]> {
    for await (const failed of pagesOfFailedRows(db, id)) {
      yield failed.map(({ row, cells, message }) => [
        ...header.map((_, at) => cells[at] ?? ''),
        ...given.map(({ value }) => value),
        row,
        message,
      ])
    }
  }
  return xlsxStream(columns, batches())
}
