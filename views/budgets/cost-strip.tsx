import { useContext } from 'react'
import type { CostMonth } from '../../src/features/budgets/queries'
import { paths, withQuery } from '../../src/platform/paths'
import { showInstant, showMoney, showShort } from '../format'
import { TimeZone } from '../ui/time-zone'
import { showMonth } from '../ui/today'

const HEIGHT = 72
const WIDTH = 24

/**
 * Bar chart of the costs of twelve months. The latest month is last.
 * A line on each bar shows the costs of the same month in the previous year.
 */
export function CostStrip({ months, as_of }: { months: CostMonth[]; as_of: Date }) {
  const zone = useContext(TimeZone)
  const maxCost = Math.max(1, ...months.flatMap(({ total_cost, year_before }) => [total_cost, year_before]))
  const high = (amount: number) => Math.round((HEIGHT * Math.max(0, amount)) / maxCost)
  return (
    <>
      <ol className="strip">
        {months.toReversed().map(({ start_date, end_date, total_cost, year_before }) => {
          const [month, cost] = [showMonth(start_date), showMoney(total_cost)]
          return (
            <li key={start_date}>
              <a
                href={withQuery(paths.reports, { type: 'location_costs', start_date, end_date })}
                title={`${month}: ${cost}, ${showMoney(year_before)} a year earlier`}
              >
                <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    className="bar"
                    x={2}
                    width={WIDTH - 4}
                    y={HEIGHT - high(total_cost)}
                    height={high(total_cost)}
                  />
                  {year_before > 0 && (
                    <line
                      className="before"
                      x1={0}
                      x2={WIDTH}
                      y1={HEIGHT - high(year_before)}
                      y2={HEIGHT - high(year_before)}
                    />
                  )}
                </svg>
                <span>{month.slice(0, 3)}</span>
                <span aria-hidden="true">${showShort(total_cost)}</span>
                <span className="visually-hidden">{cost}</span>
              </a>
            </li>
          )
        })}
      </ol>
      <p className="hint">The line marks the same month a year earlier. As of {showInstant(as_of, zone)}.</p>
    </>
  )
}
