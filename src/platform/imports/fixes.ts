import type { Db } from '../../../db/client'
import type { DataType } from '../../../db/vocabulary'
import { Conflict, Refused } from '../refusals'
import { dataTypeOf, findUpload, type Upload } from './queries'
import { countRows } from './rows'

/**
 * Finds an import whose failed rows the user can correct now.
 * @throws Missing when the import does not exist, Conflict when its status is neither `done` nor `ready`, when it lacks
 * required columns, or when its valid rows have not been written yet
 */
export async function findFixable(db: Db, id: number): Promise<Upload> {
  const upload = await findUpload(db, id)
  const isRead = upload.status === 'ready' && upload.found?.missing.length === 0
  if (upload.status !== 'done' && !isRead) throw new Conflict('This import has no rows to fix')
  const { create, update } = await countRows(db, id)
  if (isRead && create + update > 0) throw new Conflict('Import the valid rows before you fix the failed rows')
  return upload
}

/** @throws Refused when import `id` has another data type, and every error that `findFixable` throws */
export async function checkFixable(db: Db, id: number, dataType: DataType): Promise<void> {
  if ((await dataTypeOf(db, id)) !== dataType) throw Refused.field('mends', 'No import of this data type has this id')
  await findFixable(db, id)
}
