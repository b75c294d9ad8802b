import { withQuery } from '../../src/paths'
import { NONE, showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { type FormState, Input, Select } from '../ui/form'
import { PageHead } from '../ui/page-head'
import { Schedules } from './schedules'

type Kind = 'text' | 'date' | 'count' | 'money' | 'decimal' | 'percent'
type Column = { key: string; label: string; kind: Kind; sum?: boolean }
type Value = string | number | null
export type ShownReport = {
  type: string
  label: string
  about: string
  query: { start_date: string; end_date: string; location_id: number | null }
  columns: Column[]
  rows: Record<string, Value>[]
  totals: Record<string, number>
  chart: { label: string; value: string } | null
}

type Props = {
  types: { value: string; label: string }[]
  locations: { value: number; label: string }[]
  exports: { href: string; label: string }[]
  form: FormState
  report?: ShownReport | undefined
  scheduled: Parameters<typeof Schedules>[0]
}

export function ReportsPage({ types, locations, exports, form, report, scheduled }: Props) {
  return (
    <>
      <PageHead title="Reports" lead="Figures of the fleet, computed from the records." />
      <form className="panel report-form" method="get" action="/reports" data-busy="Generating Report...">
        {form.refusal && (
          <p className="banner banner-danger" role="alert">
            {form.refusal.message}
          </p>
        )}
        <div className="fields">
          <Select form={form} name="type" label="Report type" required blank="Choose a report…" options={types} />
          <Input form={form} name="start_date" label="Start date" type="date" required />
          <Input form={form} name="end_date" label="End date" type="date" required />
          <Select form={form} name="location_id" label="Location" blank="All locations" options={locations} />
        </div>
        <div className="form-buttons">
          <button type="submit" className="button button-primary" name="generate" value="1">
            Generate Report
          </button>
        </div>
      </form>
      {report && <ReportPanel report={report} />}
      <section className="panel">
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
      <Schedules {...scheduled} />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const isFigure = (kind: Kind) => kind !== 'text' && kind !== 'date'

function show(kind: Kind, value: Value): string {
  if (value === null) return NONE
  if (kind === 'money') return showMoney(Number(value))
  if (kind === 'date') return showDate(String(value))
  if (kind === 'percent') return `${value}%`
  return typeof value === 'number' ? showCount(value) : String(value)
}

function ReportPanel({ report }: { report: ShownReport }) {
  const { type, label, about, query, columns, rows, totals, chart } = report
  const file = (format: string) => withQuery(`/api/reports/${type}`, { ...query, format })
  return (
    <section className="panel" id="report" aria-label={label}>
      <div className="page-head">
        <div>
          <h2>{label}</h2>
          <p className="lead">
            {showDate(query.start_date)} to {showDate(query.end_date)}. {about}
          </p>
        </div>
        <div className="page-actions">
          <a className="button" href={file('xlsx')} download="">
            Excel
          </a>
          <a className="button" href={file('csv')} download="">
            CSV
          </a>
        </div>
      </div>
      {rows.length === 0 ? (
        <p className="empty-line">Nothing to show for these dates.</p>
      ) : (
        <>
          {chart && <BarChart report={report} chart={chart} />}
          <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
            <table className="table">
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column.key} scope="col" className={isFigure(column.kind) ? 'figure' : undefined}>
                      {column.label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={columns.map((column) => row[column.key]).join('|')}>
                    {columns.map((column) => (
                      <td key={column.key} className={isFigure(column.kind) ? 'figure' : undefined}>
                        {show(column.kind, row[column.key] ?? null)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  {columns.map((column, at) => (
                    <td key={column.key} className={isFigure(column.kind) ? 'figure' : undefined}>
                      {column.sum ? show(column.kind, totals[column.key] ?? 0) : at === 0 ? 'Total' : ''}
                    </td>
                  ))}
                </tr>
              </tfoot>
            </table>
          </div>
        </>
      )}
    </section>
  )
}

const BAR = { height: 18, gap: 8, labels: 190, width: 720, figures: 110 }

/** Bars beside their names and figures; the table below says the same to those who cannot see them. */
function BarChart({ report, chart }: { report: ShownReport; chart: { label: string; value: string } }) {
  const kind = report.columns.find((column) => column.key === chart.value)?.kind ?? 'count'
  const sums = new Map<string, number>()
  for (const row of report.rows) {
    const name = String(row[chart.label] ?? NONE)
    sums.set(name, (sums.get(name) ?? 0) + Number(row[chart.value] ?? 0))
  }
  const bars = [...sums].slice(0, 24)
  const most = Math.max(...bars.map(([, value]) => Math.abs(value)), 1)
  const room = BAR.width - BAR.labels - BAR.figures
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${BAR.width} ${bars.length * (BAR.height + BAR.gap)}`}
      role="img"
      aria-label={`${report.label}: chart, the table below has the figures`}
    >
      {bars.map(([name, value], at) => {
        const y = at * (BAR.height + BAR.gap)
        const length = Math.max(1, (Math.abs(value) / most) * room)
        return (
          <g key={name}>
            <text x={BAR.labels - 8} y={y + 13} textAnchor="end">
              {name.length > 28 ? `${name.slice(0, 27)}…` : name}
            </text>
            <rect x={BAR.labels} y={y} width={length} height={BAR.height} rx="2" className={value < 0 ? 'bar-under' : 'bar'} />
            <text x={BAR.labels + length + 6} y={y + 13}>
              {show(kind, Math.round(value * 100) / 100)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
