import type { Db } from '../../../db/client'
import type { DataType, RowOutcome } from '../../../db/vocabulary'
import { Conflict, Refused } from '../refusals'
import { GRID_ROWS } from './cell-names'
import { dataTypeOf, findUpload, type Upload } from './queries'
import { countRows } from './rows'

const hasValidRows = ({ create, update }: Record<RowOutcome, number>) => create + update > 0

/** Returns true if users can correct rows of a previewed import. Valid rows must fit into the table, too. */
export const canFix = (counts: Record<RowOutcome, number>): boolean =>
  hasValidRows(counts) ? Object.values(counts).reduce((sum, count) => sum + count, 0) <= GRID_ROWS : counts.error > 0

/**
 * Loads an import, if users can correct its rows now. If `isWhole` is true, the import has unwritten valid rows, which
 * users correct together with the failed rows.
 * @throws Missing when the import does not exist, Conflict when it is neither `done` nor `ready`, lacks required
 * columns, or has unwritten valid rows and more rows than the table
 */
export async function findFixable(db: Db, id: number): Promise<{ upload: Upload; isWhole: boolean }> {
  const upload = await findUpload(db, id)
  const isRead = upload.status === 'ready' && upload.found?.missing.length === 0
  if (upload.status !== 'done' && !isRead) throw new Conflict('This import has no rows to fix')
  const counts = await countRows(db, id)
  const isWhole = isRead && hasValidRows(counts)
  if (isWhole && !canFix(counts)) throw new Conflict(VALID_ROWS_FIRST)
  return { upload, isWhole }
}

const VALID_ROWS_FIRST = 'Import the valid rows before you fix the failed rows'

/**
 * Checks whether a file can contain the corrected failed rows of import `id`.
 * @throws Refused when the data type of the import is not `dataType`, Conflict when the import has unwritten valid
 * rows, and every error that `findFixable` throws
 */
export async function checkFixable(db: Db, id: number, dataType: DataType): Promise<void> {
  if ((await dataTypeOf(db, id)) !== dataType)
    throw Refused.field('mends', 'There is no import that has both this id and this data type')
  const { isWhole } = await findFixable(db, id)
  if (isWhole) throw new Conflict(VALID_ROWS_FIRST)
}
