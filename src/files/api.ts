import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import { idParams } from '../fields'
import { answer, answerList } from '../http/answers'
import type { Office } from '../office'
import { findUpload, listUploads, uploadStats } from './queries'
import { historyFilters } from './rules'
import { receiveUpload } from './upload'

export const filesApi = (office: Office) =>
  new Elysia({ prefix: '/api/files', detail: { tags: ['files'] } })
    .use(signedIn(office))
    .post(
      '/upload',
      async ({ body, actor }) => {
        const { id, ...result } = await receiveUpload(office, actor, body)
        return { success: true as const, ...result, data: { id } }
      },
      {
        detail: {
          summary: 'Import a spreadsheet',
          description:
            'Multipart with `file` (.xls, .xlsx or .csv) and `data_type`. Rows are judged one by one: `imported + failed + duplicates` is the number of data rows.',
        },
      },
    )
    .get('/history', async ({ query }) => answerList(query, await listUploads(office.db, query)), {
      query: historyFilters,
      detail: { summary: 'Earlier uploads' },
    })
    .get('/stats', async () => answer(await uploadStats(office.db)), { detail: { summary: 'What was uploaded so far, per data type' } })
    .get('/:id', async ({ params }) => answer(await findUpload(office.db, params.id)), { params: idParams, detail: { summary: 'One upload with its errors' } })
