import { Elysia } from 'elysia'
import { DefinitionsPage } from '../../views/reports/definitions-page'
import { RecordsPage } from '../../views/reports/records-page'
import type { ShownReport } from '../../views/reports/report-panel'
import { ReportsPage } from '../../views/reports/reports-page'
import { DeleteSchedulePage, ScheduleForm } from '../../views/reports/schedules'
import type { FormState } from '../../views/ui/form-state'
import { accept, acceptLeniently } from '../accept'
import { locationQueries } from '../admin/locations/queries'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { about } from '../http/about'
import { metaOf } from '../http/answers'
import { attempt } from '../http/page'
import { paths } from '../paths'
import { recordsBehind } from './behind'
import { PRESET_PERIODS, presetPeriod } from './calendar'
import { REPORTS } from './definitions'
import { meaningOf } from './meanings'
import { runReport } from './queries'
import { recordsQuery, reportForm, reportPeriod, schedule, scheduleChange } from './rules'
import { listRuns } from './runs'
import { createSchedule, findSchedule, listSchedules, removeSchedule, updateSchedule } from './schedules'
import { REPORT_TYPES } from './types'

const TYPES = REPORT_TYPES.map((type) => {
  const { label, usual, isOfToday = false } = REPORTS[type]
  return { value: type, label, usual, isOfToday }
})
const LABELS = Object.fromEntries(TYPES.map(({ value, label }) => [value, label]))
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
const NEW_SCHEDULE = { frequency: 'weekly', weekday: 1, hour: 6, period: 'last week', format: 'xlsx', is_active: true }

export const reportsPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const places = async () =>
    (await locationQueries.active(db)).map(({ id, location_name }) => ({ value: id, label: location_name }))
  const isMailSetUp = ctx.config.mail !== null
  const newForm = async (form: FormState) => (
    <ScheduleForm
      isNew
      isMailSetUp={isMailSetUp}
      action={paths.schedules.create}
      form={form}
      types={TYPES}
      locations={await places()}
    />
  )
  const editForm = async (id: number, form: FormState) => (
    <ScheduleForm
      isNew={false}
      isMailSetUp={isMailSetUp}
      action={paths.schedules.edit(id)}
      form={form}
      types={TYPES}
      locations={await places()}
    />
  )

  /** The periods beside the dates, and the one that each report usually has. */
  const presets = () => PRESET_PERIODS.map((value) => ({ value, ...presetPeriod(value, clock.today()) }))

  /** What the address asks for. @throws Refused when the type or a date is missing */
  async function generate(query: Record<string, unknown>): Promise<ShownReport> {
    const { type, location_id, period, ...dates } = accept(reportForm, query)
    const preset = period === 'usual' ? REPORTS[type].usual : period
    const asked = { ...(preset ? presetPeriod(preset, clock.today()) : reportPeriod(dates)), location_id }
    const report = await runReport(db, type, { ...asked, today: clock.today(), timeZone: clock.timeZone })
    const { label, about, isOfToday = false } = REPORTS[type]
    return { type, label, about, isOfToday, query: asked, ...report }
  }

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      paths.reports,
      async ({ query, page }) => {
        const [locations, schedules, runs] = await Promise.all([places(), listSchedules(db), listRuns(db, null, 10)])
        const scheduled = { schedules, runs, labels: LABELS, timeZone: clock.timeZone }
        const screen = (form: FormState, report?: ShownReport) => (
          <ReportsPage
            types={TYPES}
            presets={presets()}
            locations={locations}
            exports={EXPORTS}
            form={form}
            report={report}
            scheduled={scheduled}
          />
        )
        const isAsked = query.generate !== undefined || query.type !== undefined
        if (!isAsked) return page('Reports', screen({ values: { period: 'usual' } }))
        const { value, refusal } = await attempt(() => generate(query))
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
      async ({ query, page }) => {
        const { type, ...dates } = accept(reportForm, query)
        const { generate: _, ...asked } = acceptLeniently(recordsQuery, query)
        const period = { ...reportPeriod(dates), location_id: dates.location_id }
        const place = (await places()).find(({ value }) => value === period.location_id)
        const { total, row, ...behind } = await recordsBehind(
          db,
          type,
          { ...period, today: clock.today(), timeZone: clock.timeZone },
          asked,
        )
        const { label } = REPORTS[type]
        return page(
          `Behind ${label}`,
          <RecordsPage
            label={label}
            query={{ ...asked, ...period, type }}
            row={[...(place ? [place.label] : []), ...row]}
            {...behind}
            meta={metaOf(asked, total)}
          />,
        )
      },
      { detail: about({ summary: 'The records behind a figure' }) },
    )
    .get(paths.reportDefinitions, ({ page }) => page('What the figures mean', <DefinitionsPage reports={DEFINED} />), {
      detail: about({ summary: 'What the figures mean' }),
    })
    .get(
      paths.schedules.create,
      async ({ page }) => page('Schedule New Report', await newForm({ values: NEW_SCHEDULE })),
      { detail: about({ summary: 'Schedule New Report' }) },
    )
    .post(
      paths.schedules.create,
      ({ form, actor, submit, redirect }) =>
        submit({
          title: 'Schedule New Report',
          show: newForm,
          save: async () => createSchedule(db, actor, clock, accept(schedule, form)),
          done: () => redirect(paths.reports, 'Report scheduled successfully!'),
        }),
      { detail: about({ summary: 'Create a schedule' }) },
    )
    .get(
      paths.schedules.edit.pattern,
      async ({ params, page }) =>
        page('Edit schedule', await editForm(params.id, { values: await findSchedule(db, params.id) })),
      { detail: about({ summary: 'Edit a schedule' }), params: idParams },
    )
    .post(
      paths.schedules.edit.pattern,
      ({ params, form, actor, submit, redirect }) =>
        submit({
          title: 'Edit schedule',
          show: (state) => editForm(params.id, state),
          async save() {
            const { version, ...change } = accept(scheduleChange, form)
            return updateSchedule(db, actor, clock, params.id, version, change)
          },
          done: () => redirect(paths.reports, 'Schedule updated successfully!'),
        }),
      { detail: about({ summary: 'Save a schedule' }), params: idParams },
    )
    .get(
      paths.schedules.remove.pattern,
      async ({ params, page }) => {
        const { id, name } = await findSchedule(db, params.id)
        return page('Delete schedule', <DeleteSchedulePage id={id} name={name} />)
      },
      { detail: about({ summary: 'Ask before a schedule is deleted' }), params: idParams },
    )
    .post(
      paths.schedules.remove.pattern,
      async ({ params, actor, redirect }) => {
        const { name } = await removeSchedule(db, actor, params.id)
        return redirect(paths.reports, `Schedule ${name} deleted`)
      },
      { detail: about({ summary: 'Delete a schedule' }), params: idParams },
    )
}
