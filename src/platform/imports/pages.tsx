import { Elysia } from 'elysia'
import { z } from 'zod'
import { DATA_TYPES, type DataType } from '../../../db/vocabulary'
import { ImportPage } from '../../../views/imports/import-page'
import { LISTED, outcomeTone, outcomeWords } from '../../../views/imports/result-card'
import { UploadPage } from '../../../views/imports/upload-page'
import { companyOptions, locationOptions } from '../../../views/places/options'
import { accept, acceptLeniently } from '../accept'
import type { CurrentUser } from '../auth/current-user'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams, requiredChoiceOf } from '../fields'
import { about } from '../http/about'
import { metaOf } from '../http/answers'
import { attempt, type pageFor } from '../http/page'
import { kinds } from '../kinds'
import { paths, withQuery } from '../paths'
import { cancelImport, commitImport, undoImport } from './actions'
import { answerQuestions, changesImport } from './answer-questions'
import { beginImport, importOrAsk, importSheet } from './begin'
import { sampleNames } from './downloads'
import { canFix } from './fixes'
import { parseAnswers } from './form-answers'
import { type ShownColumns, shownColumns } from './kinds'
import {
  findUpload,
  findUploadWithErrors,
  listFixes,
  listReadSheets,
  listUploads,
  OPEN_IMPORTS,
  selectOpenImports,
  uploadStats,
} from './queries'
import { checkReader } from './readers'
import { listMessages } from './row-messages'
import { countRows, listRows } from './rows'
import { historyFilters, importChange, rowFilters } from './rules'
import { suggestAnswers } from './suggest-answers'

const columnsOfKinds = () =>
  Object.fromEntries(DATA_TYPES.map((dataType) => [dataType, shownColumns(dataType)])) as Record<DataType, ShownColumns>

const uploadPageQuery = z.object({
  upload: requiredChoiceOf('Must be the id of an import').optional(),
  /** Page number in the list of finished imports. */
  page: historyFilters.shape.page,
})

type ImportPageContext = { params: { id: number }; user: CurrentUser } & Pick<
  ReturnType<typeof pageFor>,
  'page' | 'redirect'
>

const HISTORY_SIZE = 10

type UploadState = Pick<Parameters<typeof UploadPage>[0], 'message' | 'result'> & { historyPage?: number }

export const filesPages = (ctx: AppContext) => {
  const { db } = ctx
  const screen = async (user: CurrentUser, dataType: string, { historyPage = 1, ...state }: UploadState = {}) => (
    <UploadPage
      columns={columnsOfKinds()}
      dataType={dataType}
      maxBytes={ctx.config.maxUploadBytes}
      isAdmin={user.role === 'admin'}
      sampleNames={await sampleNames(ctx)}
      history={await history(user, historyPage)}
      {...state}
    />
  )
  const history = async (user: CurrentUser, current: number) => {
    const [open, { rows: uploads, total }, stats] = await Promise.all([
      selectOpenImports(db, user.username).limit(OPEN_IMPORTS),
      listUploads(db, historyFilters.parse({ page: current, per_page: HISTORY_SIZE })),
      uploadStats(db),
    ])
    const pages = { current, last: Math.max(1, Math.ceil(total / HISTORY_SIZE)) }
    return { open, uploads, pages, stats, timeZone: ctx.clock.timeZone }
  }
  const importScreen = async (user: CurrentUser, id: number, query: Record<string, unknown>, problem?: string) => {
    const upload = await findUpload(db, id)
    const isDone = upload.status === 'done'
    const [errors, skipped, mendedBy, readSheets] = await Promise.all([
      isDone ? listMessages(db, id, 'error', LISTED) : [],
      isDone ? listMessages(db, id, 'duplicate', LISTED) : [],
      listFixes(db, id),
      isDone ? listReadSheets(db, upload) : [],
    ])
    const isApplied = query.applied !== undefined
    const pageProps = {
      upload,
      mendedBy,
      readSheets,
      errors,
      skipped,
      timeZone: ctx.clock.timeZone,
      problem,
      isApplied,
    }
    if (upload.status !== 'ready') return <ImportPage {...pageProps} />
    const filters = acceptLeniently(rowFilters, query)
    const [{ rows, total }, counts, locations, companies, suggestions] = await Promise.all([
      listRows(db, id, filters),
      countRows(db, id),
      kinds('places').location.active(db),
      kinds('places').company.active(db),
      suggestAnswers(ctx, upload),
    ])
    const choices = {
      locations: locationOptions(locations),
      companies: companyOptions(companies),
      suggestions,
      isAdmin: user.role === 'admin',
    }
    return (
      <ImportPage
        {...pageProps}
        preview={{
          rows,
          counts,
          query: filters,
          meta: metaOf(filters, total),
          columns: columnsOfKinds()[upload.data_type],
          canFix: canFix(counts),
        }}
        choices={choices}
      />
    )
  }
  const step = async (
    { params, user, page, redirect }: ImportPageContext,
    take: () => Promise<unknown>,
    after = redirect(paths.files.import(params.id)),
  ) => {
    const { refusal } = await attempt(take)
    return refusal ? page('Import', await importScreen(user, params.id, {}, refusal.message), refusal.status) : after
  }
  return new Elysia()
    .use(signedInPages(ctx))
    .get(paths.files.uploadShortcut, ({ redirect }) => redirect(paths.files.upload), {
      detail: about({ summary: 'Redirect to the file upload page' }),
    })
    .get(
      paths.files.upload,
      async ({ query, page, user }) => {
        const dataType = DATA_TYPES.find((type) => type === query.data_type) ?? ''
        const { upload, page: historyPage } = acceptLeniently(uploadPageQuery, query)
        if (upload) await checkReader(db)({ params: { id: upload }, user })
        const done = upload ? await findUploadWithErrors(ctx.db, upload) : undefined
        return page(
          'File Upload',
          await screen(user, dataType, {
            historyPage,
            ...(done && { message: { tone: outcomeTone(done), text: outcomeWords(done) }, result: done }),
          }),
        )
      },
      { detail: about({ summary: 'File Upload & Processing' }) },
    )
    .post(
      paths.files.upload,
      async ({ form, write, user, page, redirect }) => {
        const dataType = DATA_TYPES.find((type) => type === form.data_type) ?? ''
        const isPreview = form.after === 'preview'
        const { value, refusal } = await attempt(() => (isPreview ? beginImport : importOrAsk)(ctx, write, form))
        if (refusal)
          return page(
            'File Upload',
            await screen(user, dataType, {
              message: { tone: 'danger', text: refusal.message || 'File upload failed' },
            }),
            refusal.status,
          )
        return redirect(
          isPreview || value.status === 'ready'
            ? paths.files.import(value.id)
            : withQuery(paths.files.upload, { upload: value.id, data_type: dataType }),
        )
      },
      { detail: about({ summary: 'Upload a spreadsheet', failure: 'File upload failed', upload: {} }) },
    )
    .onBeforeHandle(checkReader(db))
    .get(
      paths.files.import.pattern,
      async ({ params, query, user, page }) => page('Import', await importScreen(user, params.id, query)),
      { detail: about({ summary: 'Preview, progress or result of an import' }), params: idParams },
    )
    .post(
      paths.files.settle.pattern,
      (at) =>
        step(at, async () =>
          answerQuestions(ctx, at.write, at.user, at.params.id, accept(importChange, parseAnswers(at.form))),
        ),
      { detail: about({ summary: 'Answer the questions about an import' }), params: idParams },
    )
    .post(
      paths.files.commit.pattern,
      async (at) => {
        const answers = accept(importChange, parseAnswers(at.form))
        if (!(await changesImport(db, at.params.id, answers)))
          return step(at, () => commitImport(ctx, at.write, at.params.id))
        const applied = at.redirect(withQuery(paths.files.import(at.params.id), { applied: 1 }))
        return step(at, () => answerQuestions(ctx, at.write, at.user, at.params.id, answers), applied)
      },
      { detail: about({ summary: 'Import the previewed rows' }), params: idParams },
    )
    .post(
      paths.files.sheets.pattern,
      async ({ params, form, write, user, page, redirect }) => {
        const { value, refusal } = await attempt(() => importSheet(ctx, write, params.id, form))
        return refusal
          ? page('Import', await importScreen(user, params.id, {}, refusal.message), refusal.status)
          : redirect(paths.files.import(value.id))
      },
      { detail: about({ summary: 'Preview the file of an import again, or another sheet of it' }), params: idParams },
    )
    .post(paths.files.undo.pattern, (at) => step(at, () => undoImport(ctx, at.write, at.user, at.params.id)), {
      detail: about({ summary: 'Undo an import' }),
      params: idParams,
    })
    .post(
      paths.files.cancel.pattern,
      (at) =>
        step(
          at,
          () => cancelImport(ctx, at.write, at.user, at.params.id),
          at.redirect(paths.files.upload, 'Import discarded'),
        ),
      { detail: about({ summary: 'Discard an import' }), params: idParams },
    )
}
