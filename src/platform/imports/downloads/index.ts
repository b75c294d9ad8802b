import type { DataType } from '../../../../db/vocabulary'
import type { AppContext } from '../../context'
import { attachment, storedAttachment } from '../../http/attachment'
import { kinds } from '../../kinds'
import type { Write } from '../../records/transactions'
import { openStored } from '../../stored-download'
import type { SampleNames } from '../kind'
import { findOriginal } from '../queries'
import { failedWorkbook } from './failed-rows'
import { DEFAULT_SAMPLE_NAMES, sampleWorkbook } from './sample'

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const withoutEnding = (name: string) => name.replace(/\.[a-z]+$/i, '')

/** @throws Missing when the upload does not exist */
export async function failedWorkbookDownload(write: Write, id: number): Promise<Response> {
  const { file_name } = await findOriginal(write.db, id)
  return attachment(`${withoutEnding(file_name)} - failed rows.xlsx`, XLSX_TYPE, await failedWorkbook(write, id))
}

/**
 * Serves the uploaded file as `application/octet-stream`. Browsers then download the file instead of displaying it.
 * @throws Missing when the import or its file does not exist
 */
export async function originalDownload(ctx: AppContext, write: Write, id: number): Promise<Response> {
  const { file_name, stored_as } = await findOriginal(ctx.db, id)
  return storedAttachment(write, file_name, 'application/octet-stream', await openStored(ctx, stored_as))
}

export async function sampleNames({ db }: AppContext): Promise<SampleNames> {
  const [locations, companies] = await Promise.all([
    kinds('places').location.active(db),
    kinds('places').company.active(db),
  ])
  const [firstLocation, secondLocation] = locations
  const [company] = companies
  if (!firstLocation || !secondLocation || !company) return DEFAULT_SAMPLE_NAMES
  return {
    locations: [firstLocation.location_code, secondLocation.location_code],
    company: company.company_name,
    exist: true,
  }
}

export async function sampleDownload(ctx: AppContext, dataType: DataType): Promise<Response> {
  const workbook = await sampleWorkbook(dataType, await sampleNames(ctx), ctx.clock.today())
  return attachment(`yardmaster-sample-${dataType}.xlsx`, XLSX_TYPE, workbook)
}
