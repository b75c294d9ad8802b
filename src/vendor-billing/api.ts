import { Elysia } from 'elysia'
import { vendorInvoices } from '../../db/schema'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { date, integer, list, number, object, orNull, record, ref, string } from '../docs/schema'
import { idParams } from '../fields'
import { about } from '../http/about'
import { answer, answerAll } from '../http/answers'
import { CSV, data, orFile, page, XLSX } from '../http/shapes'
import { completedPeriod } from '../osl/rules'
import { tableFile } from '../tables/table-file'
import { acceptMatched, createInvoice, decideLine, removeInvoice, restoreInvoice } from './mutations'
import { findInvoice, listInvoices } from './queries'
import { invoice, invoiceParams, lineDecision, lineParams, statementQuery } from './rules'
import { linesOfSheet } from './sheet'
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
const SUMMARY = record(vendorInvoices, { billed: number, differing: integer, open: integer })

/** An invoice whose lines are in a spreadsheet. */
const INVOICE_FILE = {
  type: 'object',
  required: ['file', 'number', 'start_date', 'end_date'],
  properties: {
    file: { type: 'string', format: 'binary' },
    number: { type: 'string' },
    start_date: { type: 'string', format: 'date' },
    end_date: { type: 'string', format: 'date' },
  },
}

export const vendorBillingApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/vendors', detail: about({ tags: ['vendors'] }) })
    .use(signedIn(ctx))
    .get('/:id/months', async ({ params }) => answerAll(await vendorMonths(db, clock, params.id)), {
      params: idParams,
      detail: about({
        summary: 'What a vendor may charge for each of the last twelve months',
        answers: page(object({ start_date: date, end_date: date, units: integer, amount: number })),
      }),
    })
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
          summary: 'What a vendor may charge for storage in a period',
          description:
            'Needs `start_date` and `end_date`; both days are included. Adjoining periods sum to the whole. `format` is json, csv or xlsx.',
          answers: orFile(data(STATEMENT), CSV, XLSX),
        }),
      },
    )
    .get('/:id/invoices', async ({ params }) => answerAll(await listInvoices(db, params.id)), {
      params: idParams,
      detail: about({ summary: 'Invoices of a vendor, the newest first', answers: page(SUMMARY) }),
    })
    .post(
      '/:id/invoices',
      async ({ params, body, actor }) => answer(await createInvoice(db, actor, clock, params.id, body)),
      {
        params: idParams,
        body: invoice,
        // A spreadsheet becomes lines before they are checked.
        async transform(context) {
          const sent = context.body as Record<string, unknown> | null
          if (sent?.file instanceof Blob) Object.assign(sent, { lines: await linesOfSheet(sent.file), file: undefined })
        },
        detail: about({
          upload: INVOICE_FILE,
          takesJson: true,
          summary: 'Check an invoice against our own log',
          description:
            'Each line is `matched`, `differs` (`reason` says in what), `not_ours` or `not_billed`. A vendor has each number once. The lines may also come as `file`, a .csv or .xlsx with columns for unit and amount (and days and rate), as multipart/form-data.',
          answers: data(ref('VendorInvoice'), 201),
        }),
      },
    )
    .get('/:id/invoices/:invoice', async ({ params }) => answer(await findInvoice(db, params.invoice, params.id)), {
      params: invoiceParams,
      detail: about({ summary: 'One invoice with its lines', answers: data(ref('VendorInvoice')) }),
    })
    .patch(
      '/:id/invoices/:invoice/lines/:line',
      async ({ params: { id: vendor, invoice, line }, body, actor }) =>
        answer(await decideLine(db, actor, { vendor, invoice, line }, body)),
      {
        params: lineParams,
        body: lineDecision,
        detail: about({
          role: 'decider',
          summary: 'Accept or dispute a line',
          description: '`decision` is accepted, disputed, or null to take it back.',
          answers: data(ref('VendorInvoiceLine')),
        }),
      },
    )
    .post(
      '/:id/invoices/:invoice/accept-matched',
      async ({ params, actor }) => answer(await acceptMatched(db, actor, params.id, params.invoice)),
      {
        params: invoiceParams,
        detail: about({
          role: 'decider',
          summary: 'Accept every line that matches',
          answers: data(ref('VendorInvoice')),
        }),
      },
    )
    .post(
      '/:id/invoices/:invoice/restore',
      async ({ params, actor }) => answer(await restoreInvoice(db, actor, params.invoice)),
      {
        params: invoiceParams,
        detail: about({ role: 'admin', summary: 'Take a deletion back', answers: data(ref('VendorInvoice')) }),
      },
    )
    .delete(
      '/:id/invoices/:invoice',
      async ({ params, actor }) => answer(await removeInvoice(db, actor, params.id, params.invoice)),
      {
        params: invoiceParams,
        detail: about({
          role: 'admin',
          summary: 'Delete an invoice with its lines',
          answers: data(record(vendorInvoices)),
        }),
      },
    )
}
