import { Elysia } from 'elysia'
import type { InvoiceLineStatus } from '../../../db/vocabulary'
import { BILLERS, billerOf } from '../../../views/billing/billers'
import { DisputeLetter } from '../../../views/billing/dispute-letter'
import { InvoiceForm } from '../../../views/billing/invoice-form'
import { InvoicePage, UNDECIDED } from '../../../views/billing/invoice-page'
import { DeleteRecordPage } from '../../../views/ui/delete-record'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptForm, checkAll } from '../../platform/accept'
import type { CurrentUser } from '../../platform/auth/current-user'
import { signedInPages } from '../../platform/auth/guard'
import { decidesInvoices } from '../../platform/auth/permissions'
import type { AppContext } from '../../platform/context'
import { listDocuments } from '../../platform/documents/queries'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { inTurn } from '../../platform/http/turns'
import { paths, withQuery } from '../../platform/paths'
import type { Write } from '../../platform/records/transactions'
import { messagesOf } from '../../platform/records/warnings'
import { Refused } from '../../platform/refusals'
import { presetPeriod } from '../reports'
import { findSettings } from '../settings'
import type { Biller } from './billers'
import {
  acceptedAt,
  acceptMatched,
  createInvoice,
  decideLine,
  removeInvoice,
  reopenAccepted,
  restoreInvoice,
} from './mutations'
import { pastedLines } from './pasted-lines'
import { findInvoice, findInvoiceLine } from './queries'
import { acceptance, checkPeriod, invoiceHead, lineDecision } from './rules'
import { linesOfSheet, sheetChoice } from './sheet'

const { accept: acceptAll, decide, dispute, remove, reopen, restore, show: showInvoice } = paths.invoices

export const invoiceFormPages = <Line extends { unit_number: string }>(ctx: AppContext, biller: Biller<Line>) => {
  const { db, clock } = ctx
  const { createInvoice: create } = BILLERS[biller.column].pages
  const newForm = async (id: number, form: FormState) => (
    <InvoiceForm column={biller.column} biller={{ id, name: await biller.nameOf(db, id) }} form={form} />
  )
  return new Elysia({ detail: about({ role: 'costs' }) })
    .use(signedInPages(ctx))
    .get(
      create.pattern,
      async ({ params: { id }, page }) =>
        page('Check an invoice', await newForm(id, { values: presetPeriod('last month', clock.today()) })),
      { params: idParams, detail: about({ summary: 'Check an invoice' }) },
    )
    .post(
      create.pattern,
      ({ params: { id }, form, write, redirect, submit }) =>
        submit({
          title: 'Check an invoice',
          show: (form) => newForm(id, form),
          async save() {
            const readLines = async () => {
              const isFile = form.file instanceof Blob && form.file.size > 0
              if (isFile && String(form.lines ?? '').trim())
                throw Refused.field('lines', 'Type the lines or choose a file, not both')
              return isFile
                ? linesOfSheet({ ...ctx, account: write.actor.username }, biller, form.file as Blob, {
                    ...accept(sheetChoice.partial(), form),
                    skip_invalid: true,
                  })
                : { lines: pastedLines(String(form.lines ?? ''), biller.writing, clock.today()), warnings: [] }
            }
            const [, { lines, warnings }] = await checkAll(() => acceptForm(invoiceHead, form, checkPeriod), readLines)
            const invoice = accept(biller.invoice, { ...form, lines })
            return inTurn(ctx, write, (write) => createInvoice(write, { biller, id }, invoice, messagesOf(warnings)))
          },
          done: ({ id, lines }) => {
            const count = (...statuses: InvoiceLineStatus[]) =>
              lines.filter(({ status }) => statuses.includes(status)).length
            const [matching, differing, unbilled] = [
              count('matched'),
              count('differs', 'not_ours'),
              count('not_billed'),
            ]
            const matches = `${matching} ${matching === 1 ? 'line matches' : 'lines match'}`
            const differs = `${differing} ${differing === 1 ? 'does' : 'do'} not match`
            const rest = unbilled ? `, ${unbilled} of our records ${unbilled === 1 ? 'is' : 'are'} not billed` : ''
            return redirect(showInvoice(id), `${matches}, ${differs}${rest}`)
          },
        }),
      { params: idParams, detail: about({ upload: {}, summary: 'Check an invoice against our records' }) },
    )
}

export const invoicePages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const invoicePage = async (
    user: CurrentUser,
    id: number,
    { isUndecided, refused }: Pick<Parameters<typeof InvoicePage>[0], 'isUndecided' | 'refused'>,
  ) => {
    const [invoice, decides, documents] = await Promise.all([
      findInvoice(db, id),
      decidesInvoices(db, user),
      listDocuments(ctx, 'invoices', id),
    ])
    return <InvoicePage {...{ invoice, documents, decides, isUndecided, refused }} isAdmin={user.role === 'admin'} />
  }
  return new Elysia({ detail: about({ role: 'costs' }) })
    .use(signedInPages(ctx))
    .get(
      showInvoice.pattern,
      async ({ params: { id }, query, page, user }) =>
        page('Invoice', await invoicePage(user, id, { isUndecided: query.lines === UNDECIDED })),
      { params: idParams, detail: about({ summary: 'One invoice with its lines' }) },
    )
    .get(
      dispute.pattern,
      async ({ params: { id }, page }) =>
        page(
          'Dispute letter',
          <DisputeLetter invoice={await findInvoice(db, id)} today={clock.today()} head={await findSettings(db)} />,
        ),
      { params: idParams, detail: about({ summary: 'Dispute letter with all disputed lines' }) },
    )
    .post(
      decide.pattern,
      async ({ params: { id: line }, query, form, write, user, page, redirect }) => {
        const { invoice_id: invoice, decision, note } = await findInvoiceLine(db, line)
        // The link that undoes a decision has its values in the query, which leaves out empty ones.
        const input = query.version ? { decision: '', ...query } : form
        const lines = input.lines === UNDECIDED ? UNDECIDED : null
        const { value, refusal } = await attempt(async () =>
          decideLine(write, { invoice, line }, accept(lineDecision, input)),
        )
        if (refusal) {
          const refused = { line, note: String(input.note ?? ''), message: refusal.message }
          return page(
            'Invoice',
            await invoicePage(user, invoice, { isUndecided: lines !== null, refused }),
            refusal.status,
          )
        }
        return redirect(withQuery(showInvoice(invoice), { lines }), {
          text: `Unit ${value.unit_number}: ${value.decision ?? 'reopened'}`,
          undo: withQuery(decide(line), { decision: decision ?? '', note, version: value.version, lines }),
        })
      },
      { params: idParams, detail: about({ role: 'decider', summary: 'Accept or dispute an invoice line' }) },
    )
    .post(
      acceptAll.pattern,
      async ({ params: { id }, write, redirect }) => {
        const acceptInTurn = async (write: Write) => {
          const { now } = write.actor
          return { at: now, count: acceptedAt(await acceptMatched(write, id), now).length }
        }
        const { value, refusal } = await attempt(() => inTurn(ctx, write, acceptInTurn))
        if (refusal) return redirect(showInvoice(id), failed(refusal.message))
        return redirect(showInvoice(id), {
          text: `Matched lines accepted: ${value.count}`,
          undo: withQuery(reopen(id), { at: value.at.toISOString() }),
        })
      },
      { params: idParams, detail: about({ role: 'decider', summary: 'Accept all lines that match our records' }) },
    )
    .post(
      reopen.pattern,
      async ({ params: { id }, query, write, redirect }) => {
        const { at } = accept(acceptance, query)
        const { value, refusal } = await attempt(() => inTurn(ctx, write, (write) => reopenAccepted(write, id, at)))
        return redirect(showInvoice(id), refusal ? failed(refusal.message) : `Lines reopened: ${value}`)
      },
      {
        params: idParams,
        detail: about({ role: 'decider', summary: 'Reopen the lines that were accepted together' }),
      },
    )
    .get(
      remove.pattern,
      async ({ params: { id }, page }) => {
        const invoice = await findInvoice(db, id)
        return page(
          'Delete invoice',
          <DeleteRecordPage title="Delete invoice?" action={remove(id)} cancel={showInvoice(id)} form={{ values: {} }}>
            Invoice <strong>{invoice.number}</strong> from {billerOf(invoice).name}, including the decisions on its
            lines.
          </DeleteRecordPage>,
        )
      },
      { params: idParams, detail: about({ role: 'admin', summary: 'Confirm the deletion of an invoice' }) },
    )
    .post(
      remove.pattern,
      async ({ params: { id }, write, redirect }) => {
        const invoice = await findInvoice(db, id)
        await inTurn(ctx, write, (write) => removeInvoice(write, id))
        return redirect(billerOf(invoice).show, { text: `Invoice ${invoice.number} deleted`, undo: restore(id) })
      },
      { params: idParams, detail: about({ role: 'admin', summary: 'Delete an invoice' }) },
    )
    .post(
      restore.pattern,
      async ({ params: { id }, write, redirect }) => {
        const { value, refusal } = await attempt(() => inTurn(ctx, write, (write) => restoreInvoice(write, id)))
        return refusal
          ? redirect(paths.dashboard, failed(refusal.message))
          : redirect(showInvoice(id), `Invoice ${value.number} restored`)
      },
      { params: idParams, detail: about({ role: 'admin', summary: 'Restore a deleted invoice' }) },
    )
}
