import { Elysia } from 'elysia'
import { importAliases } from '../../../db/schema'
import { DATA_TYPES, IMPORT_MODES, ROW_OUTCOMES, type UploadStatus } from '../../../db/vocabulary'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { counts, instant, integer, list, object, oneOf, orNull, record, ref, string } from '../docs/schema'
import { mendedBy, openUpload, rowError, undo } from '../docs/upload-schemas'
import { idParams } from '../fields'
import { about } from '../http/about'
import { answer, answerAllOrPage, answerList, answerRowsOrPage } from '../http/answers'
import { data, file, message, page, XLSX } from '../http/shapes'
import { partQuery } from '../lists/list-query'
import { cancelImport, commitImport, undoImport } from './actions'
import { answerQuestions } from './answer-questions'
import { beginImport, importNow } from './begin'
import { failedWorkbookDownload, originalDownload } from './downloads'
import { AT_WORK } from './job/stages'
import {
  ERRORS_LIMIT,
  findUploadWithErrors,
  listUploads,
  OPEN_IMPORTS,
  selectOpenImports,
  uploadStats,
} from './queries'
import { checkReader } from './readers'
import { forgetAlias, listAliases } from './remembered-names'
import { listMessages } from './row-messages'
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
    sheet: { type: 'string', description: 'Name of the sheet to read. By default, the first sheet with data is read.' },
    defaults: {
      type: 'string',
      description: 'JSON object with one value for all rows per field, for fields that have no column in the file',
    },
  },
}
const IMPORT = {
  ...UPLOAD,
  properties: {
    ...UPLOAD.properties,
    commit: { type: 'boolean', default: false },
    ask: {
      type: 'boolean',
      default: false,
      description:
        'Use together with `commit`. The import waits for answers, instead of writing the rows, if there are ' +
        'suggestions for unknown names, words or columns. It also waits if columns or dates contradict each other.',
    },
  },
}

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
        const errors = await listMessages(db, id, 'error', ERRORS_LIMIT)
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
          recordsAt: '/api/files',
          ends: { unfinished: AT_WORK, succeeded: ['done', 'undone'] satisfies UploadStatus[] },
          summary: 'Import a spreadsheet',
          description:
            'Multipart with `file` (.xls, .xlsx or .csv), `data_type` and, optionally, `existing`: `skip` ' +
            '(the default) or `update` rows whose record already exists. `defaults` is a JSON object ' +
            'such as `{"status":"Delivered"}`. It sets one value for all rows, for fields that ' +
            'have no column in the file. Valid rows are imported even if others fail: ' +
            '`imported + updated + failed + duplicates` is the number of data rows.',
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
        recordsAt: '/api/files',
        summary: 'Start an import and preview it',
        description:
          'Accepts the form of `POST /files/upload` and responds at once. Poll `GET /files/{id}` until its ' +
          '`status` is `ready`. Nothing is written before `POST /files/{id}/commit`, unless the form ' +
          'contains `commit=true`. `progress` is the progress of the current status, from 0 to 1000.',
        answers: data(openUpload({ undo: {} }), 202),
      }),
    })
    .get(
      '/imports',
      ({ query, user }) => answerAllOrPage(db, (db) => selectOpenImports(db, user.username), query, OPEN_IMPORTS),
      {
        query: partQuery,
        detail: about({
          summary: 'List imports that are in progress or need a decision',
          answers: page(ref('Upload')),
        }),
      },
    )
    .get('/history', async ({ query }) => answerList(query, await listUploads(db, query)), {
      query: historyFilters,
      detail: about({ summary: 'List earlier uploads', answers: page(ref('Upload')) }),
    })
    .get('/stats', async () => answer(await uploadStats(db)), {
      detail: about({
        summary: 'Get the number of uploads, imported records, failed rows and duplicates for each data type',
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
    .get('/aliases', async ({ query }) => answerRowsOrPage(await listAliases(db), query), {
      query: partQuery,
      detail: about({
        summary: 'List the column names and spellings that the importer remembers',
        answers: page(ref('Alias')),
      }),
    })
    .delete('/aliases/:id', async ({ params, write }) => answer(await forgetAlias(write, params.id)), {
      params: idParams,
      detail: about({
        summary: 'Delete a column name or spelling that the importer remembers',
        answers: data(record(importAliases)),
      }),
    })
    .onBeforeHandle(checkReader(db))
    .get('/:id', async ({ params }) => answer(await findUploadWithErrors(db, params.id)), {
      params: idParams,
      detail: about({
        summary: 'Get an upload with its errors',
        description:
          '`errors` has at most the first 10,000 failed rows, and `skipped` at most the first 500 rows that were ' +
          'skipped as duplicates. `GET /files/{id}/rows` lists all rows, for example with `outcome=error`.',
        answers: data(openUpload({ undo, errors: list(rowError), skipped: list(rowError), mended_by: mendedBy })),
      }),
    })
    .put(
      '/:id',
      async ({ params, body, write, user }) => answer(await answerQuestions(ctx, write, user, params.id, body)),
      {
        params: idParams,
        body: importChange,
        detail: about({
          summary: 'Save the choices made in an import preview and read the file again',
          description:
            'Sets the field of each column, the order of day and month in dates, and the meanings of ' +
            'unknown names and words. Also sets whether hidden rows and probable mistakes are left ' +
            'out, and whether existing records are skipped or updated. If the call changes ' +
            '`data_type`, all other answers are ignored. The file is then read again. Names ' +
            'and words are remembered for later files immediately. Columns and defaults ' +
            'are remembered when the import is committed.',
          answers: data(openUpload({ undo: {} })),
        }),
      },
    )
    .get('/:id/rows', async ({ params, query }) => answerList(query, await listRows(db, params.id, query)), {
      params: idParams,
      query: rowFilters,
      detail: about({
        summary: 'List the rows of an import and the result of each row',
        description:
          'Until the rows are written, the list contains all rows. Afterwards, it contains only the failed ' +
          'and the skipped rows.',
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
      detail: about({ summary: 'Import the previewed rows', answers: data(openUpload({ undo: {} }), 202) }),
    })
    .post(
      '/:id/cancel',
      async ({ params, write, user }) => {
        await cancelImport(ctx, write, user, params.id)
        return answer({ id: params.id })
      },
      {
        params: idParams,
        detail: about({
          summary: 'Discard an import and undo the rows that it has saved so far',
          answers: data(counts('id')),
        }),
      },
    )
    .post('/:id/undo', async ({ params, write, user }) => answer(await undoImport(ctx, write, user, params.id)), {
      params: idParams,
      detail: about({
        summary: 'Undo an import',
        description:
          'Deletes the records that the import created, and restores the old values of the records that ' +
          'the import updated. Records that were edited after the import do not change. `undo.kept` ' +
          'lists these records.',
        answers: data(openUpload({ undo: {} }), 202),
      }),
    })
    .get('/:id/failed.xlsx', ({ params, write }) => failedWorkbookDownload(write, params.id), {
      params: idParams,
      detail: about({
        summary: 'Download the failed rows as a workbook',
        description:
          'The workbook has the columns of the file, and the columns Row and Reason. Fix the rows, then ' +
          'upload the workbook.',
        answers: file(XLSX),
      }),
    })
    .get('/:id/original', ({ params, write }) => originalDownload(ctx, write, params.id), {
      params: idParams,
      detail: about({ summary: 'Download the original file', answers: file('application/octet-stream') }),
    })
}
