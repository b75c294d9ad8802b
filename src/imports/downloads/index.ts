import type { AppContext } from '../../context'
import { findOriginal } from '../queries'
import { readOriginal } from '../upload-storage'
import { failedWorkbook } from './failed-rows'

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A file under a name that somebody chose: plain letters for old browsers, the whole of it for the others. */
function attachment(name: string, type: string, body: Uint8Array<ArrayBuffer> | AsyncGenerator<Uint8Array>): Response {
  const plain = name.replace(/[^\w.\- ]/g, '_')
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`
  return new Response(body as BodyInit, { headers: { 'content-type': type, 'content-disposition': disposition } })
}

const withoutEnding = (name: string) => name.replace(/\.[a-z]+$/i, '')

/** @throws Missing */
export async function failedWorkbookDownload({ db }: AppContext, id: number): Promise<Response> {
  const { file_name } = await findOriginal(db, id)
  return attachment(`${withoutEnding(file_name)} - failed rows.xlsx`, XLSX_TYPE, await failedWorkbook(db, id))
}

/** The original is handed out as mere bytes, whatever it is, so that no browser shows it. @throws Missing */
export async function originalDownload({ db, config }: AppContext, id: number): Promise<Response> {
  const { file_name, stored_as } = await findOriginal(db, id)
  return attachment(file_name, 'application/octet-stream', await readOriginal(config, stored_as))
}
