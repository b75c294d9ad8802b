import { NONE } from '../format'
import { type Column, show, showText, type Value } from './figures'

const MOST_BARS = 12

type Props = {
  title: string
  columns: Column[]
  rows: Record<string, Value>[]
  chart: { label: string; value: string }
}

/** Screen readers skip the chart and use the table below. */
export function BarChart({ title, columns, rows, chart }: Props) {
  const labelOf = (key: string) => columns.find((column) => column.key === key)?.label ?? key
  const kind = columns.find((column) => column.key === chart.value)?.kind ?? 'count'
  const all = sumsOf(rows, chart)
  const bars = shownOf(all, chart.label)
  const values = bars.map(([, value]) => value)
  const [minValue, maxValue] = [Math.min(0, ...values), Math.max(kind === 'percent' ? 100 : 0, ...values)]
  const width = (value: number) => (maxValue > minValue ? (Math.abs(value) / (maxValue - minValue)) * 100 : 0)
  return (
    <figure>
      <figcaption className="hint">
        {`${labelOf(chart.value)} by ${labelOf(chart.label).toLowerCase()}`}
        {bars.length < all.length &&
          (chart.label === 'month'
            ? `, the last ${bars.length} of ${all.length} months`
            : `, the ${bars.length} largest of ${all.length}`)}
      </figcaption>
      <div className="chart" role="img" aria-label={`${title}: chart, the table below has the figures`}>
        {bars
          .map(([name, value]) => [showText(chart.label, name), value] as const)
          .map(([name, value]) => (
            <div key={name}>
              <span className="chart-name" title={name}>
                {name}
              </span>
              <span className="chart-figure">{show(kind, Math.round(value * 100) / 100)}</span>
              <svg aria-hidden="true">
                <rect
                  x={`${width(minValue) - (value < 0 ? width(value) : 0)}%`}
                  width={`${width(value)}%`}
                  height="100%"
                  className={value < 0 ? 'bar-under' : 'bar'}
                />
              </svg>
            </div>
          ))}
      </div>
    </figure>
  )
}

function shownOf(bars: [name: string, value: number][], label: string) {
  if (label === 'month') return bars.slice(-MOST_BARS)
  const largest = [...bars].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, MOST_BARS)
  return bars.filter((bar) => largest.includes(bar))
}

/** Adds up rows with the same name. For example, a month has one row for each move type. */
function sumsOf(rows: Props['rows'], { label, value }: Props['chart']): [name: string, value: number][] {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const name = String(row[label] ?? NONE)
    sums.set(name, (sums.get(name) ?? 0) + Number(row[value] ?? 0))
  }
  return [...sums]
}
