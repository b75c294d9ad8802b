import { Elysia } from 'elysia'
import { z } from 'zod'
import { DATA_TYPES, type DataType } from '../../db/vocabulary'
import { UploadPage } from '../../views/files/upload-page'
import { locationQueries } from '../admin/locations/queries'
import { transportCompanyQueries } from '../admin/transport-companies/queries'
import { signedInPages } from '../auth/guard'
import type { Clerk } from '../auth/queries'
import { acceptLeniently, requiredChoiceOf } from '../fields'
import { attempt } from '../http/page'
import type { Office } from '../office'
import { paths, withQuery } from '../paths'
import { findUpload, listUploads, uploadStats } from './queries'
import { historyFilters } from './rules'
import { DEFAULT_SAMPLE_NAMES, type SampleNames, sampleWorkbook } from './samples'
import { receiveUpload } from './upload'

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The kinds that can be imported. */
const IMPORTABLE: readonly DataType[] = DATA_TYPES

/** `upload` shows what became of that upload. */
const uploadPageQuery = z.object({ upload: requiredChoiceOf('Must be an id').optional() })

async function sampleNames({ db }: Office): Promise<SampleNames> {
  const [locations, companies] = await Promise.all([locationQueries.active(db), transportCompanyQueries.active(db)])
  const [here, there] = locations
  const [company] = companies
  if (!here || !there || !company) return DEFAULT_SAMPLE_NAMES
  return { locations: [here.location_code, there.location_code], company: company.company_name, exist: true }
}

export const filesPages = (office: Office) => {
  const screen = async (clerk: Clerk, dataType: string, shown: Pick<Parameters<typeof UploadPage>[0], 'message' | 'result'> = {}) => (
    <UploadPage
      dataTypes={IMPORTABLE}
      dataType={dataType}
      maxBytes={office.config.maxUploadBytes}
      isAdmin={clerk.role === 'admin'}
      sampleNames={await sampleNames(office)}
      history={await history()}
      {...shown}
    />
  )
  const history = async () => {
    const [{ rows: uploads }, stats] = await Promise.all([listUploads(office.db, historyFilters.parse({ per_page: 10 })), uploadStats(office.db)])
    return { uploads, stats, timeZone: office.clock.timeZone }
  }
  return new Elysia()
    .use(signedInPages(office))
    .get(paths.files.uploadShortcut, ({ leave }) => leave(paths.files.upload))
    .get(paths.files.upload, async ({ query, page, clerk }) => {
      const dataType = IMPORTABLE.find((known) => known === query.data_type) ?? ''
      const { upload } = acceptLeniently(uploadPageQuery, query)
      const done = upload ? await findUpload(office.db, upload) : undefined
      const text = `File processed successfully! ${done?.imported} records imported`
      return page('File Upload', await screen(clerk, dataType, done && { message: { tone: 'success', text }, result: done }))
    })
    .post(paths.files.upload, async ({ typed, actor, clerk, page, leave }) => {
      const dataType = IMPORTABLE.find((known) => known === typed.data_type) ?? ''
      const { value, refusal } = await attempt(() => receiveUpload(office, actor, typed))
      if (refusal)
        return page(
          'File Upload',
          await screen(clerk, dataType, { message: { tone: 'danger', text: refusal.message || 'File upload failed' } }),
          refusal.status,
        )
      return leave(withQuery(paths.files.upload, { upload: value.id, data_type: dataType }))
    })
    .get(
      '/files/samples/:name',
      async ({ params }) => {
        const dataType = params.name.replace('.xlsx', '') as DataType
        const workbook = sampleWorkbook(dataType, await sampleNames(office), office.clock.today())
        return new Response(workbook, {
          headers: { 'content-type': XLSX_TYPE, 'content-disposition': `attachment; filename="yardmaster-sample-${dataType}.xlsx"` },
        })
      },
      { params: z.object({ name: z.enum(IMPORTABLE.map((dataType) => `${dataType}.xlsx`) as [string, ...string[]]) }) },
    )
}
