import type { Actor } from '../audit/actor'
import { accept } from '../fields'
import type { Office } from '../office'
import { Refusal } from '../refusals'
import { judgeFile } from './judge-file'
import { dropOriginal, keepOriginal } from './originals'
import { importFile, importNames, type Upload } from './queries'
import { upload } from './rules'

/**
 * Imports an uploaded file, for both doors.
 * @throws Refused when the form or the file cannot be accepted, a 413 refusal when it is too large
 */
export async function receiveUpload(office: Office, actor: Actor, form: unknown): Promise<Upload> {
  const { config, db } = office
  const { file, data_type } = accept(upload, form ?? {})
  if (file.size > config.maxUploadBytes) throw new Refusal(413, `The file is larger than ${Math.floor(config.maxUploadBytes / 1024 / 1024)} MB`)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const judged = await judgeFile({ bytes, fileName: file.name, dataType: data_type, names: await importNames(db) })
  const stored_as = await keepOriginal(config, bytes)
  try {
    return await importFile(
      db,
      actor,
      data_type,
      judged,
      {
        file_name: file.name.replaceAll('\0', '').toWellFormed().slice(0, 255),
        file_size: bytes.length,
        stored_as,
      },
      office.clock.today(),
    )
  } catch (error) {
    await dropOriginal(config, stored_as)
    throw error
  }
}
