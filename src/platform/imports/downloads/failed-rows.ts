import type { Db } from '../../../../db/client'
import { type SheetColumn, type SheetValue, xlsxStream } from '../../lists/tables/workbook'
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
  const { found } = await findUpload(db, id)
  const header = found?.header ?? []
  const columns = [
    ...header.map((name) => column(name, 'text', Math.max(12, Math.min(40, name.length + 2)))),
    column(FAILED_COLUMNS.row, 'count', 8),
    column(FAILED_COLUMNS.reason, 'text', 70),
  ]
  async function* batches(): AsyncGenerator<SheetValue[][]> {
    for await (const failed of pagesOfFailedRows(db, id)) {
      yield failed.map(({ row, cells, message }) => [...header.map((_, at) => cells[at] ?? ''), row, message])
    }
  }
  return xlsxStream(columns, batches())
}
