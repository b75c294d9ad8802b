import type { Db } from '../../../db/client'
import type { DataType } from '../../../db/vocabulary'
import { Conflict, Refused } from '../refusals'
import { dataTypeOf, findUpload, type Upload } from './queries'
import { countRows } from './rows'

/**
 * Loads an import, if users can correct its failed rows now.
 * @throws Missing when the import does not exist, Conflict when it is neither `done` nor `ready`, lacks required
 * columns, or has unwritten valid rows
 */
export async function findFixable(db: Db, id: number): Promise<Upload> {
  const upload = await findUpload(db, id)
  const isRead = upload.status === 'ready' && upload.found?.missing.length === 0
  if (upload.status !== 'done' && !isRead) throw new Conflict('This import has no rows to fix')
  const { create, update } = await countRows(db, id)
  if (isRead && create + update > 0) throw new Conflict('Import the valid rows before you fix the failed rows')
  return upload
}

/** @throws Refused when the data type of import `id` is not `dataType`, and every error that `findFixable` throws */
export async function checkFixable(db: Db, id: number, dataType: DataType): Promise<void> {
  if ((await dataTypeOf(db, id)) !== dataType)
    throw Refused.field('mends', 'There is no import that has both this id and this data type')
  await findFixable(db, id)
}
