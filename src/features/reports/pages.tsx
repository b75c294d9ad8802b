import { Elysia } from 'elysia'
import { DefinitionsPage } from '../../../views/reports/definitions-page'
import { RecordsPage } from '../../../views/reports/records-page'
import type { ShownReport } from '../../../views/reports/report-panel'
import { ReportsPage } from '../../../views/reports/reports-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptLeniently } from '../../platform/accept'
import type { CurrentUser } from '../../platform/auth/current-user'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { metaOf } from '../../platform/http/answers'
import { attempt } from '../../platform/http/page'
import { paths } from '../../platform/paths'
import { readReport } from '../../platform/replica'
import { locationQueries } from '../places'
import { PRESET_PERIODS, presetPeriod } from './calendar'
import { checkMayRun, reportFor, typesFor } from './costs'
import { REPORT_CHOICES, REPORTS } from './definitions'
import { meaningOf } from './meanings'
import { runReport } from './queries'
import { listReportRecords } from './report-records'
import { recordsQuery, reportForm, reportPeriod } from './rules'
import { listRuns } from './runs'
import { listSchedules } from './schedules'
import { REPORT_TYPES } from './types'

const LABELS = Object.fromEntries(REPORT_CHOICES.map(({ value, label }) => [value, label]))
const EXPORTS = [
  { href: '/api/exports/transports-active', label: 'Active Transports' },
  { href: '/api/exports/osl-active', label: 'Active OSL' },
  { href: '/api/exports/registrations-pending', label: 'Pending Registrations' },
  { href: '/api/exports/titles-pending', label: 'Pending Titles' },
]
const DEFINED = REPORT_TYPES.map((type) => ({
  type,
  label: REPORTS[type].label,
  about: REPORTS[type].about,
  figures: REPORTS[type].columns.flatMap(({ key, label }) => {
    const meaning = meaningOf(type, key)
    return meaning ? [{ label, meaning }] : []
  }),
}))

export const reportsPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const places = async () =>
    (await locationQueries.active(db)).map(({ id, location_name }) => ({ value: id, label: location_name }))
  const presets = () => PRESET_PERIODS.map((value) => ({ value, ...presetPeriod(value, clock.today()) }))

  /**
   * @throws Refused when the type or a date is missing
   * @throws Forbidden when the report is about costs and the user cannot see costs
   */
  async function generate(user: CurrentUser, query: Record<string, unknown>): Promise<ShownReport> {
    const { type, location_id, period, ...dates } = accept(reportForm, query)
    checkMayRun(user, type)
    const preset = period === 'usual' ? REPORTS[type].usual : period
    const parameters = {
      ...(preset ? presetPeriod(preset, clock.today()) : reportPeriod(dates)),
      location_id,
    }
    const { value: report, lagSeconds } = await readReport(ctx, (db) =>
      runReport(db, type, { ...parameters, today: clock.today(), timeZone: clock.timeZone }),
    )
    const { label, about, isOfToday = false } = REPORTS[type]
    return { type, label, about, isOfToday, query: parameters, lagSeconds, ...reportFor(user, report) }
  }

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      paths.reports,
      async ({ query, page, user }) => {
        const types = REPORT_CHOICES.filter(({ value }) => typesFor(user).includes(value))
        const [locations, schedules, runs] = await Promise.all([places(), listSchedules(db), listRuns(db, null, 10)])
        const scheduled = { schedules, runs, labels: LABELS, timeZone: clock.timeZone }
        const screen = (form: FormState, report?: ShownReport) => (
          <ReportsPage
            types={types}
            presets={presets()}
            locations={locations}
            exports={EXPORTS}
            form={form}
            report={report}
            scheduled={scheduled}
          />
        )
        const hasQuery = query.generate !== undefined || query.type !== undefined
        if (!hasQuery) return page('Reports', screen({ values: { period: 'usual' } }))
        const { value, refusal } = await attempt(() => generate(user, query))
        if (refusal) return page('Reports', screen({ values: query, refusal }), refusal.status)
        return page(
          'Reports',
          screen({ values: { ...query, ...value?.query } }, value),
          200,
          'Report generated successfully!',
        )
      },
      { detail: about({ summary: 'Reports' }) },
    )
    .get(
      paths.reportRecords,
      async ({ query, page, user }) => {
        const { type, ...dates } = accept(reportForm, query)
        checkMayRun(user, type)
        const { generate: _, ...filters } = acceptLeniently(recordsQuery, query)
        const period = {
          ...reportPeriod(dates),
          location_id: dates.location_id,
        }
        const place = (await places()).find(({ value }) => value === period.location_id)
        const parameters = { ...period, today: clock.today(), timeZone: clock.timeZone }
        const { value } = await readReport(ctx, (db) => listReportRecords(db, type, parameters, filters))
        const { total, row, ...result } = value
        const { label } = REPORTS[type]
        return page(
          `Records behind ${label}`,
          <RecordsPage
            label={label}
            query={{ ...filters, ...period, type }}
            row={[...(place ? [place.label] : []), ...row]}
            {...reportFor(user, result)}
            meta={metaOf(filters, total)}
          />,
        )
      },
      { detail: about({ summary: 'Records that a report figure is based on' }) },
    )
    .get(paths.reportDefinitions, ({ page }) => page('Figure definitions', <DefinitionsPage reports={DEFINED} />), {
      detail: about({ summary: 'Report definitions' }),
    })
}
