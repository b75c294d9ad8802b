import { Elysia } from 'elysia'
import { vendorInvoices } from '../../../db/schema'
import { accept } from '../../platform/accept'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { integer, number, record, ref } from '../../platform/docs/schema'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerRowsOrPage } from '../../platform/http/answers'
import { noteConvertedFile } from '../../platform/http/request-fingerprint'
import { data, page, warned } from '../../platform/http/shapes'
import { inTurn } from '../../platform/http/turns'
import { partQuery } from '../../platform/lists/list-query'
import { messagesOf, type Warning, withWarnings } from '../../platform/records/warnings'
import { showingStored } from '../../platform/refusals'
import type { Biller } from './billers'
import { acceptMatched, createInvoice, decideLine, removeInvoice, restoreInvoice } from './mutations'
import { findInvoice, listInvoices } from './queries'
import { invoiceParams, lineDecision, lineParams } from './rules'
import { linesOfSheet, sheetChoice } from './sheet'

const SUMMARY = record(vendorInvoices, { billed: number, expected: number, differing: integer, open: integer })

const INVOICE_FILE = {
  type: 'object',
  required: ['file', 'number', 'start_date', 'end_date'],
  properties: {
    file: { type: 'string', format: 'binary' },
    number: { type: 'string' },
    start_date: { type: 'string', format: 'date' },
    end_date: { type: 'string', format: 'date' },
    sheet: {
      type: 'string',
      description:
        'Names of the sheets to read, separated by commas. ' +
        'By default, Yardmaster reads the sheet whose headings fit an invoice best.',
    },
    unit_column: { type: 'string', description: 'Heading of the column with unit numbers' },
    amount_column: { type: 'string', description: 'Heading of the column with amounts' },
    skip_invalid: {
      type: 'boolean',
      description: 'If true, invalid rows are left out. Otherwise, the file is refused if it has an invalid row.',
    },
  },
}

type InvoicesApi<Line> = {
  biller: Biller<Line>
  path: 'vendors' | 'transport-companies'
  one: string
  /**
   * Optional columns of an invoice file, such as `days and rate`. This text is inserted into a sentence of the API
   * document.
   */
  also: string
}

export const invoicesApi = <Line extends { unit_number: string }>(
  ctx: AppContext,
  { biller, path, one: noun, also: note }: InvoicesApi<Line>,
) => {
  const { db } = ctx
  const by = (id: number) => ({ column: biller.column, id })
  /**
   * Warnings about uploaded files, by request. `transform` stores the warnings of a request here, and the handler
   * returns them.
   */
  const fileWarnings = new WeakMap<Request, Warning[]>()
  return new Elysia({ prefix: `/api/${path}`, detail: about({ role: 'costs', tags: [path] }) })
    .use(signedIn(ctx))
    .get(
      '/:id/invoices',
      async ({ params, query }) => answerRowsOrPage(await listInvoices(db, biller, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({ summary: `Invoices of a ${noun}, newest first`, answers: page(SUMMARY) }),
      },
    )
    .post(
      '/:id/invoices',
      async ({ params, body, write, request }) => {
        const warnings = fileWarnings.get(request) ?? []
        const invoice = await inTurn(ctx, write, (write) =>
          createInvoice(write, { biller, id: params.id }, body, messagesOf(warnings)),
        )
        return withWarnings(answer(invoice), warnings)
      },
      {
        params: idParams,
        body: biller.invoice,
        // Replace an uploaded spreadsheet in the request body with its invoice lines. This runs before validation, so
        // that uploaded and typed lines pass the same checks.
        async transform(context) {
          const body = context.body as Record<string, unknown> | null
          if (!(body?.file instanceof Blob)) return
          const choice = accept(sheetChoice.partial(), body)
          const { lines, warnings } = await linesOfSheet(
            { ...ctx, account: context.actor.username },
            biller,
            body.file,
            choice,
          )
          fileWarnings.set(context.request, warnings)
          if (body.file instanceof File) noteConvertedFile(context.request, body.file)
          for (const field of ['file', ...Object.keys(sheetChoice.shape)]) delete body[field]
          body.lines = lines
        },
        detail: about({
          upload: INVOICE_FILE,
          takesJson: true,
          summary: 'Check an invoice against our records',
          description:
            `Each line is \`matched\`, \`differs\` (see \`reason\`), \`not_ours\` or ` +
            `\`not_billed\`. Invoice ` +
            `numbers are unique per ${noun}. The lines can also be sent as \`file\`, a .csv, .xls or ` +
            `.xlsx with columns for unit and amount (and ${note}), as multipart/form-data. With ` +
            `\`skip_invalid\`, invalid rows of the file are left out, and \`notes\` and ` +
            `\`warnings\` name them.`,
          answers: warned(ref('VendorInvoice'), 201),
        }),
      },
    )
    .get('/:id/invoices/:invoice', async ({ params }) => answer(await findInvoice(db, params.invoice, by(params.id))), {
      params: invoiceParams,
      detail: about({ summary: 'One invoice with its lines', answers: data(ref('VendorInvoice')) }),
    })
    .patch(
      '/:id/invoices/:invoice/lines/:line',
      async ({ params: { id, invoice, line }, body, write }) =>
        answer(await decideLine(write, { by: by(id), invoice, line }, body).catch(showingStored())),
      {
        params: lineParams,
        body: lineDecision,
        detail: about({
          role: 'decider',
          summary: 'Accept or dispute an invoice line',
          description: '`decision` is `accepted` or `disputed`. Send null to clear the decision.',
          answers: data(ref('VendorInvoiceLine')),
        }),
      },
    )
    .post(
      '/:id/invoices/:invoice/accept-matched',
      async ({ params, write }) =>
        answer(await inTurn(ctx, write, (write) => acceptMatched(write, params.invoice, by(params.id)))),
      {
        params: invoiceParams,
        detail: about({
          role: 'decider',
          summary: 'Accept all lines that match our records',
          answers: data(ref('VendorInvoice')),
        }),
      },
    )
    .post(
      '/:id/invoices/:invoice/restore',
      async ({ params, write }) =>
        answer(await inTurn(ctx, write, (write) => restoreInvoice(write, params.invoice, by(params.id)))),
      {
        params: invoiceParams,
        detail: about({ role: 'admin', summary: 'Restore a deleted invoice', answers: data(ref('VendorInvoice')) }),
      },
    )
    .delete(
      '/:id/invoices/:invoice',
      async ({ params, write }) =>
        answer(await inTurn(ctx, write, (write) => removeInvoice(write, params.invoice, by(params.id)))),
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
