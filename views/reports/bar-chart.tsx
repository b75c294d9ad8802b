import { scaleBand, scaleLinear } from 'd3-scale'
import { NONE, showShort } from '../format'
import { type Column, show, type Value } from './figures'

const WIDTH = 820
const LABELS = 290
const FIGURES = 110
const ROW = 26
const AXIS = 20
const MOST_BARS = 24
const LONGEST_NAME = 44

type Props = {
  title: string
  columns: Column[]
  rows: Record<string, Value>[]
  chart: { label: string; value: string }
}

/** Bars beside their names and figures, on a scale; the table below says the same to those who cannot see them. */
export function BarChart({ title, columns, rows, chart }: Props) {
  const kind = columns.find((column) => column.key === chart.value)?.kind ?? 'count'
  const all = sumsOf(rows, chart)
  const bars = shownOf(all, chart.label)
  const values = bars.map(([, value]) => value)
  const scale = scaleLinear([Math.min(0, ...values), Math.max(0, ...values)], [LABELS, WIDTH - FIGURES]).nice(5)
  const height = bars.length * ROW
  const band = scaleBand(
    bars.map(([name]) => name),
    [0, height],
  ).padding(0.25)
  return (
    <figure>
      {bars.length < all.length && (
        <figcaption className="hint">
          {chart.label === 'month'
            ? `The last ${bars.length} of ${all.length} months`
            : `The ${bars.length} largest of ${all.length}`}
        </figcaption>
      )}
      <svg
        className="chart"
        viewBox={`0 0 ${WIDTH} ${height + AXIS}`}
        role="img"
        aria-label={`${title}: chart, the table below has the figures`}
      >
        {scale.ticks(5).map((tick) => (
          <g key={tick}>
            <line className={tick === 0 ? 'axis' : 'grid'} x1={scale(tick)} x2={scale(tick)} y1={0} y2={height} />
            <text className="tick" x={scale(tick)} y={height + 14} textAnchor="middle">
              {showShort(tick)}
            </text>
          </g>
        ))}
        {bars.map(([name, value]) => {
          const y = band(name) ?? 0
          const [from, to] = [scale(Math.min(0, value)), scale(Math.max(0, value))]
          const middle = y + band.bandwidth() / 2 + 4
          return (
            <g key={name}>
              <text x={LABELS - 8} y={middle} textAnchor="end">
                {shortened(name)}
                <title>{name}</title>
              </text>
              <rect
                x={from}
                y={y}
                width={Math.max(1, to - from)}
                height={band.bandwidth()}
                rx="2"
                className={value < 0 ? 'bar-under' : 'bar'}
              />
              <text x={to + 6} y={middle}>
                {show(kind, Math.round(value * 100) / 100)}
              </text>
            </g>
          )
        })}
      </svg>
    </figure>
  )
}

/** Names that differ at their end only, as those of yards do, keep it. */
const shortened = (name: string) =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 14).trimEnd()}…${name.slice(-13)}` : name

/** Of more bars than can be read: the last months, or else the largest, in the order of the table. */
function shownOf(bars: [name: string, value: number][], label: string) {
  if (label === 'month') return bars.slice(-MOST_BARS)
  const largest = [...bars].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, MOST_BARS)
  return bars.filter((bar) => largest.includes(bar))
}

/** Rows of the same name, such as a month's move types, are one bar. */
function sumsOf(rows: Props['rows'], { label, value }: Props['chart']): [name: string, value: number][] {
  const sums = new Map<string, number>()
  for (const row of rows) {
    const name = String(row[label] ?? NONE)
    sums.set(name, (sums.get(name) ?? 0) + Number(row[value] ?? 0))
  }
  return [...sums]
}
