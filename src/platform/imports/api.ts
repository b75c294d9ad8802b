import { Elysia } from 'elysia'
import { importAliases } from '../../../db/schema'
import { DATA_TYPES, IMPORT_MODES, ROW_OUTCOMES } from '../../../db/vocabulary'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { counts, instant, integer, list, object, oneOf, orNull, record, ref, string } from '../docs/schema'
import { mendedBy, openUpload, rowError, undo } from '../docs/upload-schemas'
import { idParams } from '../fields'
import { about } from '../http/about'
import { answer, answerAll, answerList } from '../http/answers'
import { data, file, message, page, XLSX } from '../http/shapes'
import { beginImport, cancelImport, commitImport, importNow, undoImport } from './actions'
import { answerQuestions } from './answer-questions'
import { failedWorkbookDownload, originalDownload } from './downloads'
import { findUploadWithErrors, listOpenImports, listUploads, uploadStats } from './queries'
import { checkReader } from './readers'
import { forgetAlias, listAliases } from './remembered-names'
import { listErrors } from './row-errors'
import { listRows } from './rows'
import { historyFilters, importChange, rowFilters } from './rules'

const UPLOAD = {
  type: 'object',
  required: ['file', 'data_type'],
  properties: {
    file: { type: 'string', format: 'binary' },
    data_type: { type: 'string', enum: [...DATA_TYPES] },
    existing: { type: 'string', enum: [...IMPORT_MODES], default: 'skip' },
    mends: { type: 'integer' },
    sheet: { type: 'string', description: 'The sheet of a workbook; without it the first with data' },
    defaults: {
      type: 'string',
      description: 'JSON: one value for all rows, by the fields that the file has no column for',
    },
  },
}
const IMPORT = { ...UPLOAD, properties: { ...UPLOAD.properties, commit: { type: 'boolean', default: false } } }

export const filesApi = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia({ prefix: '/api/files', detail: about({ tags: ['files'] }) })
    .use(signedIn(ctx))
    .post(
      '/upload',
      async ({ body, write }) => {
        const { id, imported, updated, failed, duplicates, validation_errors, message } = await importNow(
          ctx,
          write,
          body,
        )
        const errors = await listErrors(db, id)
        return {
          success: true as const,
          imported,
          updated,
          failed,
          duplicates,
          errors,
          validation_errors,
          message,
          data: { id },
        }
      },
      {
        detail: about({
          upload: UPLOAD,
          summary: 'Import a spreadsheet',
          description:
            'Multipart with `file` (.xls, .xlsx or .csv), `data_type` and optionally `existing`: `skip` (the default) or `update` rows that are there already. `defaults` is a JSON object with one value for all rows, by field, such as `{"status":"Delivered"}`, for fields that the file has no column for. Rows are judged one by one: `imported + updated + failed + duplicates` is the number of data rows.',
          answers: message({
            imported: integer,
            updated: integer,
            failed: integer,
            duplicates: integer,
            errors: list(rowError),
            validation_errors: list(string),
            data: counts('id'),
          }),
        }),
      },
    )
    .post('/imports', async ({ body, write }) => answer(await beginImport(ctx, write, body)), {
      detail: about({
        upload: IMPORT,
        summary: 'Begin an import and preview it',
        description:
          'Takes the same form and answers at once. Ask for `GET /files/{id}` until its `status` is `ready`: nothing is written before `POST /files/{id}/commit`, unless the form says `commit=true`. `progress` counts thousandths of the present status.',
        answers: data(openUpload({ undo: {} }), 202),
      }),
    })
    .get('/imports', async () => answerAll(await listOpenImports(db)), {
      detail: about({ summary: 'Imports under way or waiting for a decision', answers: page(ref('Upload')) }),
    })
    .get('/history', async ({ query }) => answerList(query, await listUploads(db, query)), {
      query: historyFilters,
      detail: about({ summary: 'Earlier uploads', answers: page(ref('Upload')) }),
    })
    .get('/stats', async () => answer(await uploadStats(db)), {
      detail: about({
        summary: 'What was uploaded so far, per data type',
        answers: data(
          list(
            object({
              data_type: oneOf(DATA_TYPES),
              uploads: integer,
              imported: integer,
              failed: integer,
              duplicates: integer,
              last_upload: instant,
            }),
          ),
        ),
      }),
    })
    .get('/aliases', async () => answerAll(await listAliases(db)), {
      detail: about({ summary: 'Column names and spellings that the importer remembers', answers: page(ref('Alias')) }),
    })
    .delete('/aliases/:id', async ({ params, write }) => answer(await forgetAlias(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Forget a remembered name', answers: data(record(importAliases)) }),
    })
    .onBeforeHandle(checkReader(db))
    .get('/:id', async ({ params }) => answer(await findUploadWithErrors(db, params.id)), {
      params: idParams,
      detail: about({
        summary: 'One upload with its errors',
        answers: data(openUpload({ undo, errors: list(rowError), mended_by: mendedBy })),
      }),
    })
    .put(
      '/:id',
      async ({ params, body, write, user }) => answer(await answerQuestions(ctx, write, user, params.id, body)),
      {
        params: idParams,
        body: importChange,
        detail: about({
          summary: 'Settle how a waiting file is read',
          description:
            'Which columns fill which fields, how dates are meant, whom unknown names stand for, and what to do with rows that are there already. The file is then read again; columns and names are remembered for later files.',
          answers: data(openUpload({ undo: {} })),
        }),
      },
    )
    .get('/:id/rows', async ({ params, query }) => answerList(query, await listRows(db, params.id, query)), {
      params: idParams,
      query: rowFilters,
      detail: about({
        summary: 'The rows of a waiting import, and what would become of each',
        answers: page(
          object({
            row: integer,
            outcome: oneOf(ROW_OUTCOMES),
            values: { type: 'object', additionalProperties: orNull(string) },
            notes: list(string),
            message: orNull(string),
          }),
        ),
      }),
    })
    .post('/:id/commit', async ({ params, write }) => answer(await commitImport(ctx, write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Write what the preview showed', answers: data(openUpload({ undo: {} }), 202) }),
    })
    .post(
      '/:id/cancel',
      async ({ params, write }) => {
        await cancelImport(ctx, write, params.id)
        return answer({ id: params.id })
      },
      {
        params: idParams,
        detail: about({
          summary: 'Give an import up; what it wrote so far is taken back',
          answers: data(counts('id')),
        }),
      },
    )
    .post('/:id/undo', async ({ params, write }) => answer(await undoImport(ctx, write, params.id)), {
      params: idParams,
      detail: about({
        summary: 'Take an import back',
        description:
          'Created records are removed, updated ones get their old values again. Records that someone edited since stay and are named in `undo.kept`.',
        answers: data(openUpload({ undo: {} }), 202),
      }),
    })
    .get('/:id/failed.xlsx', ({ params }) => failedWorkbookDownload(ctx, params.id), {
      params: idParams,
      detail: about({
        summary: 'The failed rows as a workbook',
        description: 'In the columns of the file, with Row and Reason; mended, it can be uploaded as it is.',
        answers: file(XLSX),
      }),
    })
    .get('/:id/original', ({ params }) => originalDownload(ctx, params.id), {
      params: idParams,
      detail: about({ summary: 'The file as it was uploaded', answers: file('application/octet-stream') }),
    })
}
