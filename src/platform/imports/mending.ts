import type { Db } from '../../../db/client'
import type { DataType } from '../../../db/vocabulary'
import { Conflict, Refused } from '../refusals'
import { dataTypeOf, findUpload, type Upload } from './queries'
import { countRows } from './rows'

/**
 * An import whose failed rows may come again, and how many failed.
 * @throws Missing, Conflict for an import whose other rows wait to be written, or that has none to mend
 */
export async function findMendable(db: Db, id: number): Promise<{ upload: Upload; failed: number }> {
  const upload = await findUpload(db, id)
  const isRead = upload.status === 'ready' && upload.found?.missing.length === 0
  if (upload.status !== 'done' && !isRead) throw new Conflict('This import has no rows to mend')
  const { create, update, error } = await countRows(db, id)
  if (isRead && create + update > 0) throw new Conflict('Import the other rows first')
  return { upload, failed: error }
}

/** @throws Refused unless it is an import of the same kind, Conflict like findMendable */
export async function mustBeMendable(db: Db, id: number, dataType: DataType): Promise<void> {
  if ((await dataTypeOf(db, id)) !== dataType) throw Refused.field('mends', 'There is no such import of this kind')
  await findMendable(db, id)
}
