import { Elysia } from 'elysia'
import { ReportsPage, type ShownReport } from '../../views/reports/reports-page'
import type { FormState } from '../../views/ui/form'
import { locationQueries } from '../admin/locations/queries'
import { signedInPages } from '../auth/guard'
import { addMonths } from '../clock'
import { accept } from '../fields'
import { attempt } from '../http/page'
import type { Office } from '../office'
import { paths } from '../paths'
import { REPORTS } from './definitions'
import { runReport } from './queries'
import { reportForm, reportPeriod } from './rules'
import { REPORT_TYPES } from './types'

const TYPES = REPORT_TYPES.map((type) => ({ value: type, label: REPORTS[type].label }))
const EXPORTS = [
  { href: '/api/exports/transports-active', label: 'Active Transports' },
  { href: '/api/exports/osl-active', label: 'Active OSL' },
  { href: '/api/exports/registrations-pending', label: 'Pending Registrations' },
  { href: '/api/exports/titles-pending', label: 'Pending Titles' },
]

export const reportsPages = (office: Office) => {
  const { db, clock } = office

  /** What the address asks for. @throws Refused when the type or a date is missing */
  async function generate(query: Record<string, unknown>): Promise<ShownReport> {
    const { type, location_id, ...dates } = accept(reportForm, query)
    const asked = { ...reportPeriod(dates), location_id }
    const report = await runReport(db, type, { ...asked, today: clock.today(), timeZone: clock.timeZone })
    const { label, about } = REPORTS[type]
    return { type, label, about, query: asked, ...report }
  }

  return new Elysia().use(signedInPages(office)).get(paths.reports, async ({ query, page }) => {
    const locations = (await locationQueries.active(db)).map(({ id, location_name }) => ({ value: id, label: location_name }))
    const screen = (form: FormState, report?: ShownReport) => <ReportsPage types={TYPES} locations={locations} exports={EXPORTS} form={form} report={report} />
    const isAsked = query.generate !== undefined || query.type !== undefined
    if (!isAsked) return page('Reports', screen({ values: { start_date: addMonths(clock.today(), -1), end_date: clock.today() } }))
    const { value, refusal } = await attempt(() => generate(query))
    if (refusal) return page('Reports', screen({ values: query, refusal }), refusal.status)
    return page('Reports', screen({ values: query }, value), 200, 'Report generated successfully!')
  })
}
