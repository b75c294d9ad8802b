import { Elysia } from 'elysia'
import { CompanyPage } from '../../../views/billing/company-page'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { paths } from '../../platform/paths'
import { transportCompanyQueries } from '../places'
import { COMPANY } from './billers'
import { companyMonths, notInvoiced } from './companies'
import { listInvoices } from './queries'

export const companyPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ detail: about({ role: 'costs' }) }).use(signedInPages(ctx)).get(
    paths.companyBilling.show.pattern,
    async ({ params: { id }, page, user }) => {
      const [company, months, invoices] = await Promise.all([
        transportCompanyQueries.find(db, id),
        companyMonths(db, clock, id),
        listInvoices(db, COMPANY, id),
      ])
      const today = clock.today()
      const period = { start_date: months.at(-1)?.start_date ?? today, end_date: today }
      const open = { ...(await notInvoiced(db, id, period)), ...period }
      const isAdmin = user.role === 'admin'
      return page(company.company_name, <CompanyPage {...{ company, open, months, invoices, isAdmin }} />)
    },
    {
      params: idParams,
      detail: about({ summary: 'Page of a transport company with its monthly deliveries and invoices' }),
    },
  )
}
