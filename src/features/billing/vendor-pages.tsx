import { Elysia } from 'elysia'
import { StatementPage } from '../../../views/billing/statement-page'
import { VendorPage } from '../../../views/billing/vendor-page'
import { acceptLeniently } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { paths } from '../../platform/paths'
import { completedPeriod } from '../osl'
import { vendorQueries } from '../places'
import { presetPeriod } from '../reports'
import { findSettings } from '../settings'
import { VENDOR } from './billers'
import { listInvoices } from './queries'
import { statementQuery } from './rules'
import { loadCurrentStorage, vendorMonths, vendorStatement } from './statement'

const { show, statement } = paths.vendorBilling

export const vendorPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const lastMonth = () => presetPeriod('last month', clock.today())
  return new Elysia({ detail: about({ role: 'costs' }) })
    .use(signedInPages(ctx))
    .get(
      show.pattern,
      async ({ params: { id }, page, user }) => {
        const [vendor, currentStorage, months, invoices] = await Promise.all([
          vendorQueries.find(db, id),
          loadCurrentStorage(db, clock, id),
          vendorMonths(db, clock, id),
          listInvoices(db, VENDOR, id),
        ])
        const isAdmin = user.role === 'admin'
        return page(
          vendor.vendor_name,
          <VendorPage
            {...{ vendor, currentStorage: currentStorage, months, invoices, isAdmin }}
            period={lastMonth()}
          />,
        )
      },
      {
        params: idParams,
        detail: about({ summary: 'Page of a vendor with its storage terms, stored units and invoices' }),
      },
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
      { params: idParams, detail: about({ summary: 'Storage statement of a vendor for a period' }) },
    )
}
