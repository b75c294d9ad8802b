import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { answer, answerAll, answerList } from '../http/answers'
import { beginImport, cancelImport, commitImport, importNow, undoImport } from './actions'
import { answerQuestions } from './answer-questions'
import { failedWorkbookDownload, originalDownload } from './downloads'
import { findUploadWithErrors, listErrors, listOpenImports, listRows, listUploads, uploadStats } from './queries'
import { forgetAlias, listAliases } from './remembered-names'
import { historyFilters, importChange, rowFilters } from './rules'

export const filesApi = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia({ prefix: '/api/files', detail: { tags: ['files'] } })
    .use(signedIn(ctx))
    .post(
      '/upload',
      async ({ body, actor }) => {
        const { id, imported, updated, failed, duplicates, validation_errors, message } = await importNow(ctx, actor, body)
        const errors = await listErrors(db, id)
        return { success: true as const, imported, updated, failed, duplicates, errors, validation_errors, message, data: { id } }
      },
      {
        detail: {
          summary: 'Import a spreadsheet',
          description:
            'Multipart with `file` (.xls, .xlsx or .csv), `data_type` and optionally `existing`: `skip` (the default) or `update` rows that are there already. Rows are judged one by one: `imported + updated + failed + duplicates` is the number of data rows.',
        },
      },
    )
    .post(
      '/imports',
      async ({ body, actor, set }) => {
        set.status = 202
        return answer(await beginImport(ctx, actor, body))
      },
      {
        detail: {
          summary: 'Begin an import and preview it',
          description:
            'Takes the same form and answers at once. Ask for `GET /files/{id}` until its `status` is `ready`: nothing is written before `POST /files/{id}/commit`, unless the form says `commit=true`. `progress` counts thousandths of the present status.',
        },
      },
    )
    .get('/imports', async () => answerAll(await listOpenImports(db)), { detail: { summary: 'Imports under way or waiting for a decision' } })
    .get('/history', async ({ query }) => answerList(query, await listUploads(db, query)), {
      query: historyFilters,
      detail: { summary: 'Earlier uploads' },
    })
    .get('/stats', async () => answer(await uploadStats(db)), { detail: { summary: 'What was uploaded so far, per data type' } })
    .get('/aliases', async () => answerAll(await listAliases(db)), { detail: { summary: 'Column names and spellings that the importer remembers' } })
    .delete('/aliases/:id', async ({ params, actor }) => answer(await forgetAlias(db, actor, params.id)), {
      params: idParams,
      detail: { summary: 'Forget a remembered name' },
    })
    .get('/:id', async ({ params }) => answer(await findUploadWithErrors(db, params.id)), {
      params: idParams,
      detail: { summary: 'One upload with its errors' },
    })
    .put('/:id', async ({ params, body, actor, user }) => answer(await answerQuestions(ctx, actor, user, params.id, body)), {
      params: idParams,
      body: importChange,
      detail: {
        summary: 'Settle how a waiting file is read',
        description:
          'Which columns fill which fields, how dates are meant, whom unknown names stand for, and what to do with rows that are there already. The file is then read again; columns and names are remembered for later files.',
      },
    })
    .get('/:id/rows', async ({ params, query }) => answerList(query, await listRows(db, params.id, query)), {
      params: idParams,
      query: rowFilters,
      detail: { summary: 'The rows of a waiting import, and what would become of each' },
    })
    .post(
      '/:id/commit',
      async ({ params, actor, set }) => {
        set.status = 202
        return answer(await commitImport(ctx, actor, params.id))
      },
      { params: idParams, detail: { summary: 'Write what the preview showed' } },
    )
    .post(
      '/:id/cancel',
      async ({ params, actor }) => {
        await cancelImport(ctx, actor, params.id)
        return answer({ id: params.id })
      },
      { params: idParams, detail: { summary: 'Give an import up; what it wrote so far is taken back' } },
    )
    .post(
      '/:id/undo',
      async ({ params, actor, set }) => {
        set.status = 202
        return answer(await undoImport(ctx, actor, params.id))
      },
      {
        params: idParams,
        detail: {
          summary: 'Take an import back',
          description:
            'Created records are removed, updated ones get their old values again. Records that someone edited since stay and are named in `undo.kept`.',
        },
      },
    )
    .get('/:id/failed.xlsx', ({ params }) => failedWorkbookDownload(ctx, params.id), {
      params: idParams,
      detail: {
        summary: 'The failed rows as a workbook',
        description: 'In the columns of the file, with Row and Reason; mended, it can be uploaded as it is.',
      },
    })
    .get('/:id/original', ({ params }) => originalDownload(ctx, params.id), { params: idParams, detail: { summary: 'The file as it was uploaded' } })
}
