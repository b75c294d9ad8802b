import { Elysia } from 'elysia'
import { z } from 'zod'
import { FILE_FORMATS } from '../../../../db/vocabulary'
import { signedIn } from '../../auth/guard'
import type { AppContext } from '../../context'
import { columnsFor } from '../../costs'
import { refuseUnknownParameters } from '../../docs/known-fields'
import { choiceOr } from '../../fields'
import { about } from '../../http/about'
import { CSV, file, XLSX } from '../../http/shapes'
import { batchesInTurn } from '../../http/turns'
import { whileAllowed } from '../../http/while-allowed'
import type { Module } from '../../module'
import { reportSource } from '../../replica'
import { tableFile } from '../tables/table-file'
import type { ListExport } from './list'

export const exportsOf = (modules: Module[]): Record<string, ListExport> =>
  Object.assign({}, ...modules.map((module) => module.exports ?? {}))

/**
 * Query parameters of a list export. All parameters except `format` are filters.
 * The filters are validated later, because they depend on the list.
 */
const query = z.looseObject({ format: choiceOr(FILE_FORMATS, FILE_FORMATS[0]) })

export const exportsApi = (ctx: AppContext, lists: Record<string, ListExport>) =>
  new Elysia({ prefix: '/api/exports', detail: about({ tags: ['reports'] }) }).use(signedIn(ctx)).get(
    '/:name',
    async ({ params, query: { format, ...filters }, user, write }) => {
      const { columns, filters: filterSchema, open } = lists[params.name] as ListExport
      refuseUnknownParameters(filters, filterSchema.shape)
      const visibleColumns = columnsFor(user, columns)
      const { db } = await reportSource(ctx)
      const rows = whileAllowed(write, batchesInTurn(ctx, write, open(db, ctx.clock, filters).batches()))
      return tableFile(format, `${params.name}_${ctx.clock.today()}`, visibleColumns, rows)
    },
    {
      params: z.object({ name: z.enum(Object.keys(lists) as [string, ...string[]]) }),
      query,
      detail: about({
        summary: 'Export a list',
        description:
          '`format` is csv or xlsx. The filters, `q`, `sort` and `order` are those of the list. The file ' +
          'contains every matching row, and its columns can be imported again.',
        answers: file(CSV, XLSX),
      }),
    },
  )
