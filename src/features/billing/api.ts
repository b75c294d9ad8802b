import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { date, integer, list, number, object, orNull, string } from '../../platform/docs/schema'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerRowsOrPage } from '../../platform/http/answers'
import { CSV, data, orFile, page, XLSX } from '../../platform/http/shapes'
import { partQuery } from '../../platform/lists/list-query'
import { tableFile } from '../../platform/lists/tables/table-file'
import { completedPeriod } from '../osl'
import { COMPANY, VENDOR } from './billers'
import { companyMonths } from './companies'
import { invoicesApi } from './invoices-api'
import { statementQuery } from './rules'
import { STATEMENT_COLUMNS, vendorMonths, vendorStatement } from './statement'

const STATEMENT = object({
  vendor_id: integer,
  vendor_name: string,
  start_date: date,
  end_date: date,
  lines: list(
    object({
      osl_id: integer,
      unit_number: string,
      from: date,
      to: date,
      days: integer,
      daily_rate: number,
      amount: number,
      waived_reason: orNull(string),
    }),
  ),
  total: number,
})
const VENDORS = { biller: VENDOR, path: 'vendors', one: 'vendor', also: 'days and rate' } as const
const COMPANIES = {
  biller: COMPANY,
  path: 'transport-companies',
  one: 'transport company',
  also: 'the move date',
} as const

export const billingApis = (ctx: AppContext) => [
  invoicesApi(ctx, VENDORS),
  invoicesApi(ctx, COMPANIES),
  vendorsApi(ctx),
  companiesApi(ctx),
]

const companiesApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({
    prefix: '/api/transport-companies',
    detail: about({ role: 'costs', tags: ['transport companies'] }),
  })
    .use(signedIn(ctx))
    .get(
      '/:id/months',
      async ({ params, query }) => answerRowsOrPage(await companyMonths(db, clock, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({
          summary: 'Monthly deliveries and costs of a transport company, last 12 months',
          description:
            'Grouped by move date, current month first. `on_time` counts transports that arrived on or ' +
            'before their estimated arrival.',
          answers: page(
            object({
              start_date: date,
              end_date: date,
              delivered: integer,
              on_time: integer,
              with_estimate: integer,
              estimated_cost: number,
              final_cost: number,
            }),
          ),
        }),
      },
    )
}

const vendorsApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/vendors', detail: about({ role: 'costs', tags: ['vendors'] }) })
    .use(signedIn(ctx))
    .get(
      '/:id/months',
      async ({ params, query }) => answerRowsOrPage(await vendorMonths(db, clock, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({
          summary: 'Monthly storage fees of a vendor, calculated from the OSL entries, last 12 months',
          answers: page(object({ start_date: date, end_date: date, units: integer, amount: number })),
        }),
      },
    )
    .get(
      '/:id/statement',
      async ({ params, query }) => {
        const period = completedPeriod(query)
        const statement = await vendorStatement(db, clock, params.id, period)
        if (query.format === 'json') return answer(statement)
        const name = `statement_${params.id}_${period.start_date}_to_${period.end_date}`
        return tableFile(query.format, name, STATEMENT_COLUMNS, statement.lines)
      },
      {
        params: idParams,
        query: statementQuery,
        detail: about({
          needs: ['start_date', 'end_date'],
          summary: 'Storage statement of a vendor for a period',
          description:
            'Requires `start_date` and `end_date`, both inclusive. Totals of adjoining periods add up to ' +
            'the total of the combined period. `format` is json, csv or xlsx.',
          answers: orFile(data(STATEMENT), CSV, XLSX),
        }),
      },
    )
}
