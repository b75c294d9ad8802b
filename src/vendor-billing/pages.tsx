import { Elysia } from 'elysia'
import { DeleteRecordPage } from '../../views/ui/delete-record'
import type { FormState } from '../../views/ui/form-state'
import { DisputeLetter } from '../../views/vendor-billing/dispute-letter'
import { InvoiceForm } from '../../views/vendor-billing/invoice-form'
import { InvoicePage } from '../../views/vendor-billing/invoice-page'
import { StatementPage } from '../../views/vendor-billing/statement-page'
import { VendorPage } from '../../views/vendor-billing/vendor-page'
import { accept, acceptLeniently } from '../accept'
import { vendorQueries } from '../admin/vendors/queries'
import { signedInPages } from '../auth/guard'
import { decidesInvoices } from '../auth/permissions'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { about } from '../http/about'
import { attempt, failed } from '../http/page'
import { completedPeriod } from '../osl/rules'
import { paths } from '../paths'
import { presetPeriod } from '../reports/calendar'
import { findSettings } from '../settings/queries'
import { acceptMatched, createInvoice, decideLine, removeInvoice, restoreInvoice } from './mutations'
import { findInvoice, findInvoiceOfLine, listInvoices } from './queries'
import { invoice, lineDecision, pastedLines, statementQuery } from './rules'
import { linesOfSheet } from './sheet'
import { standingAt, vendorMonths, vendorStatement } from './statement'

const { show, statement, createInvoice: create } = paths.vendorBilling
const { accept: acceptAll, decide, dispute, remove, restore, show: showInvoice } = paths.invoices

export const vendorBillingPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const lastMonth = () => presetPeriod('last month', clock.today())
  const newForm = async (id: number, form: FormState) => (
    <InvoiceForm vendor={await vendorQueries.find(db, id)} form={form} />
  )
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      show.pattern,
      async ({ params: { id }, page, user }) => {
        const [vendor, standing, months, invoices] = await Promise.all([
          vendorQueries.find(db, id),
          standingAt(db, clock, id),
          vendorMonths(db, clock, id),
          listInvoices(db, id),
        ])
        const isAdmin = user.role === 'admin'
        return page(
          vendor.vendor_name,
          <VendorPage {...{ vendor, standing, months, invoices, isAdmin }} period={lastMonth()} />,
        )
      },
      { params: idParams, detail: about({ summary: 'A vendor: terms, what stands there, invoices' }) },
    )
    .get(
      statement.pattern,
      async ({ params: { id }, query, page, redirect }) => {
        const { value: period, refusal } = await attempt(async () =>
          completedPeriod(acceptLeniently(statementQuery, query)),
        )
        if (refusal) return redirect(show(id), failed(refusal.message))
        return page(
          'Statement',
          <StatementPage statement={await vendorStatement(db, clock, id, period)} head={await findSettings(db)} />,
        )
      },
      { params: idParams, detail: about({ summary: 'What a vendor may charge in a period' }) },
    )
    .get(
      create.pattern,
      async ({ params: { id }, page }) => page('Check an invoice', await newForm(id, { values: lastMonth() })),
      { params: idParams, detail: about({ summary: 'Check an invoice' }) },
    )
    .post(
      create.pattern,
      ({ params: { id }, form, actor, redirect, submit }) =>
        submit({
          title: 'Check an invoice',
          show: (form) => newForm(id, form),
          async save() {
            const isFile = form.file instanceof Blob && form.file.size > 0
            const lines = isFile ? await linesOfSheet(form.file as Blob) : pastedLines(String(form.lines ?? ''))
            return createInvoice(db, actor, clock, id, accept(invoice, { ...form, lines }))
          },
          done: ({ id, lines }) => {
            const differing = lines.filter(({ status }) => status !== 'matched').length
            return redirect(showInvoice(id), `${lines.length - differing} lines match, ${differing} need a look`)
          },
        }),
      { params: idParams, detail: about({ upload: {}, summary: 'Set an invoice against our log' }) },
    )
    .get(
      showInvoice.pattern,
      async ({ params: { id }, page, user }) => {
        const [invoice, decides] = await Promise.all([findInvoice(db, id), decidesInvoices(db, user)])
        return page('Invoice', <InvoicePage {...{ invoice, decides }} isAdmin={user.role === 'admin'} />)
      },
      { params: idParams, detail: about({ summary: 'An invoice, line by line' }) },
    )
    .get(
      dispute.pattern,
      async ({ params: { id }, page }) =>
        page(
          'Dispute letter',
          <DisputeLetter invoice={await findInvoice(db, id)} today={clock.today()} head={await findSettings(db)} />,
        ),
      { params: idParams, detail: about({ summary: 'A letter with every disputed line' }) },
    )
    .post(
      decide.pattern,
      async ({ params: { id: line }, form, actor, redirect }) => {
        const { id: invoice, vendor_id: vendor } = await findInvoiceOfLine(db, line)
        const { value, refusal } = await attempt(async () =>
          decideLine(db, actor, { vendor, invoice, line }, accept(lineDecision, form)),
        )
        if (refusal) return redirect(showInvoice(invoice), failed(refusal.message))
        return redirect(showInvoice(invoice), `Unit ${value.unit_number}: ${value.decision ?? 'open again'}`)
      },
      { params: idParams, detail: about({ role: 'decider', summary: 'Accept or dispute a line' }) },
    )
    .post(
      acceptAll.pattern,
      async ({ params: { id }, actor, redirect }) => {
        const { vendor_id } = await findInvoice(db, id)
        await acceptMatched(db, actor, vendor_id, id)
        return redirect(showInvoice(id), 'Every line that matches is accepted')
      },
      { params: idParams, detail: about({ role: 'decider', summary: 'Accept every line that matches' }) },
    )
    .get(
      remove.pattern,
      async ({ params: { id }, page }) => {
        const { number, vendor_name } = await findInvoice(db, id)
        return page(
          'Delete invoice',
          <DeleteRecordPage title="Delete invoice?" action={remove(id)} cancel={showInvoice(id)} form={{ values: {} }}>
            Invoice <strong>{number}</strong> of {vendor_name} with what was decided on its lines.
          </DeleteRecordPage>,
        )
      },
      { params: idParams, detail: about({ role: 'admin', summary: 'Ask before an invoice is deleted' }) },
    )
    .post(
      remove.pattern,
      async ({ params: { id }, actor, redirect }) => {
        const { vendor_id, number } = await findInvoice(db, id)
        await removeInvoice(db, actor, vendor_id, id)
        return redirect(show(vendor_id), { text: `Invoice ${number} deleted`, undo: restore(id) })
      },
      { params: idParams, detail: about({ role: 'admin', summary: 'Delete an invoice' }) },
    )
    .post(
      restore.pattern,
      async ({ params: { id }, actor, redirect }) => {
        const { value, refusal } = await attempt(() => restoreInvoice(db, actor, id))
        return refusal
          ? redirect(paths.vendors.list, failed(refusal.message))
          : redirect(showInvoice(id), `Invoice ${value.number} is back`)
      },
      { params: idParams, detail: about({ role: 'admin', summary: 'Take a deletion back' }) },
    )
}
