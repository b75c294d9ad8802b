import { paths, withQuery } from '../../src/platform/paths'
import { reportedPage } from '../../src/platform/records/kind'
import { showDate } from '../format'
import { BarChart } from './bar-chart'
import { type Column, type Kind, show, showText, type Value } from './figures'

export type ShownReport = {
  type: string
  label: string
  about: string
  isOfToday: boolean
  /** Delay in seconds of the replica from which the report was read. More recent changes can be missing. */
  lagSeconds: number | null
  query: { start_date: string; end_date: string; location_id: number | null }
  columns: Column[]
  rows: Record<string, Value>[]
  behind: Record<string, string>[]
  totals: Record<string, number>
  previous: { start_date: string; end_date: string; totals: Record<string, number> } | null
  chart: { label: string; value: string } | null
}

const isFigure = (kind: Kind) => kind !== 'text' && kind !== 'date'

export function ReportPanel({ report }: { report: ShownReport }) {
  const { type, label, about, lagSeconds, query, columns, rows, behind, totals, previous, chart } = report
  const file = (format: string) => withQuery(`/api/reports/${type}`, { ...query, format })
  return (
    <section className="panel" id="report" aria-label={label}>
      <div className="page-head">
        <div>
          <h2>{label}</h2>
          <p className="lead">
            {report.isOfToday ? 'As of today. ' : `${showDate(query.start_date)} to ${showDate(query.end_date)}. `}
            {about} <a href={`${paths.reportDefinitions}#${type}`}>Figure definitions</a>
            {lagSeconds !== null && lagSeconds > 0 && (
              <> Read from a replica: changes from the last {lagSeconds} s may be missing.</>
            )}
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
          {chart && <BarChart title={label} columns={columns} rows={rows} chart={chart} />}
          <div className="table-scroll" tabIndex={0} role="region" aria-label={`${label}, rows`}>
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
                {rows.map((row, at) => (
                  <tr key={JSON.stringify(behind[at])}>
                    {columns.map((column) => (
                      <td key={column.key} className={isFigure(column.kind) ? 'figure' : undefined}>
                        <Cell report={report} column={column} value={row[column.key] ?? null} keys={behind[at] ?? {}} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
              {columns.some(({ sum }) => sum) && (
                <tfoot>
                  <tr>
                    {columns.map((column, at) => (
                      <td key={column.key} className={isFigure(column.kind) ? 'figure' : undefined}>
                        {column.sum ? (
                          <Cell report={report} column={column} value={totals[column.key] ?? 0} keys={{}} />
                        ) : at === 0 ? (
                          'Total'
                        ) : (
                          ''
                        )}
                      </td>
                    ))}
                  </tr>
                  {previous && (
                    <tr className="before">
                      {columns.map((column, at) => (
                        <td key={column.key} className={isFigure(column.kind) ? 'figure' : undefined}>
                          {column.sum ? (
                            <Before
                              kind={column.kind}
                              now={totals[column.key] ?? 0}
                              then={previous.totals[column.key] ?? 0}
                            />
                          ) : at === 0 ? (
                            `${showDate(previous.start_date)} to ${showDate(previous.end_date)}`
                          ) : (
                            ''
                          )}
                        </td>
                      ))}
                    </tr>
                  )}
                </tfoot>
              )}
            </table>
          </div>
        </>
      )}
    </section>
  )
}

/**
 * Table cell of a report. In a row for a single record, the unit number links to the page of the record. In all other
 * rows, each number links to the records from which it is computed.
 */
function Cell({
  report,
  column,
  value,
  keys,
}: {
  report: ShownReport
  column: Column
  value: Value
  keys: Record<string, string>
}) {
  const text = showText(column.key, show(column.kind, value))
  const { kind, record_id } = keys
  if (kind && record_id) {
    const to = reportedPage(String(kind), { record_id: Number(record_id), unit_number: text })
    return column.key === 'unit_number' ? <a href={to}>{text}</a> : text
  }
  if (!isFigure(column.kind) || !value) return text
  return (
    <a
      className="behind"
      href={withQuery(paths.reportRecords, { type: report.type, ...report.query, ...keys, figure: column.key })}
    >
      {text}
    </a>
  )
}

function Before({ kind, now, then }: { kind: Kind; now: number; then: number }) {
  const change = then === 0 ? null : Math.round(((now - then) / Math.abs(then)) * 1000) / 10
  return (
    <>
      {show(kind, then)}{' '}
      {change !== null && (
        <span className="change">{`${change > 0 ? '+' : change < 0 ? '−' : '±'}${Math.abs(change)}%`}</span>
      )}
    </>
  )
}
