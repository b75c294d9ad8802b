import { withQuery } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { Island } from '../island'
import { Input, Select } from '../ui/fields'
import type { FormState } from '../ui/form-state'
import { PageHead } from '../ui/page-head'
import { ReportPanel, type ShownReport } from './report-panel'
import { Schedules } from './schedules'

type Props = {
  types: { value: string; label: string; usual: string; isOfToday: boolean }[]
  presets: { value: string; start_date: string; end_date: string }[]
  locations: { value: number; label: string }[]
  exports: { href: string; label: string }[]
  form: FormState
  report?: ShownReport | undefined
  scheduled: Parameters<typeof Schedules>[0]
}

export function ReportsPage({ types, presets, locations, exports, form, report, scheduled }: Props) {
  // The script hides the fields for the period when the user chooses such a report.
  const isOfToday = types.some(({ value, isOfToday }) => isOfToday && value === form.values.type)
  return (
    <>
      <PageHead title="Reports" lead="Fleet figures calculated from the records." />
      <form
        className="panel report-form not-printed"
        method="get"
        action="/reports"
        data-busy="Generating Report..."
        data-periods={JSON.stringify({
          presets,
          usual: Object.fromEntries(types.map(({ value, usual }) => [value, usual])),
          ofToday: types.filter(({ isOfToday }) => isOfToday).map(({ value }) => value),
        })}
        autoComplete="off"
      >
        {form.refusal && (
          <p className="banner banner-danger" role="alert" tabIndex={-1} autoFocus data-clear-on-input="">
            {form.refusal.message}
          </p>
        )}
        <div className="fields">
          <Select
            form={form}
            name="type"
            label="Report type"
            required
            blank="Choose a report…"
            options={types}
            wide="double"
          />
          <Select
            form={form}
            name="period"
            label="Period"
            blank="The dates below"
            hidden={isOfToday}
            options={[
              { value: 'usual', label: 'Usual period of this report' },
              ...presets.map(({ value }) => ({ value, label: value.replace(/^./, (first) => first.toUpperCase()) })),
            ]}
          />
          <Input form={form} name="start_date" label="Start date" type="date" required hidden={isOfToday} />
          <Input form={form} name="end_date" label="End date" type="date" required hidden={isOfToday} />
          <Select form={form} name="location_id" label="Location" blank="All locations" options={locations} />
        </div>
        <p className="hint" data-of-today="" hidden={!isOfToday}>
          This report shows today’s figures and needs no dates.
        </p>
        <div className="form-buttons">
          <button type="submit" className="button button-primary" name="generate" value="1">
            Generate Report
          </button>
        </div>
      </form>
      {report && <ReportPanel report={report} />}
      <section className="panel not-printed">
        <h2>Quick exports</h2>
        <div className="actions-list">
          {exports.map(({ href, label }) => (
            <span key={href} className="export-pair">
              <a className="button" href={withQuery(href, { format: 'xlsx' })} download="">
                {label}
              </a>
              <a href={withQuery(href, { format: 'csv' })} download="" aria-label={`${label} as CSV`}>
                CSV
              </a>
            </span>
          ))}
        </div>
      </section>
      {areCostsSeen() && (
        <div className={report ? 'not-printed' : undefined}>
          <Schedules {...scheduled} />
        </div>
      )}
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
