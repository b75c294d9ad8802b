import { Elysia } from 'elysia'
import { z } from 'zod'
import { DATA_TYPES, type DataType } from '../../../db/vocabulary'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { about } from '../http/about'
import { paths } from '../paths'
import { failedWorkbookDownload, originalDownload, sampleDownload } from './downloads'
import { checkReader } from './readers'

export const downloadPages = (ctx: AppContext) =>
  new Elysia()
    .use(signedInPages(ctx))
    .onBeforeHandle(checkReader(ctx.db))
    .get(paths.files.failed.pattern, ({ params, write }) => failedWorkbookDownload(write, params.id), {
      detail: about({ summary: 'Download the failed rows as a workbook' }),
      params: idParams,
    })
    .get(paths.files.original.pattern, ({ params, write }) => originalDownload(ctx, write, params.id), {
      detail: about({ summary: 'Download the original file' }),
      params: idParams,
    })
    .get(paths.files.samples, ({ params }) => sampleDownload(ctx, params.name.replace('.xlsx', '') as DataType), {
      detail: about({ summary: 'Download a sample spreadsheet' }),
      params: z.object({ name: z.enum(DATA_TYPES.map((dataType) => `${dataType}.xlsx`) as [string, ...string[]]) }),
    })
