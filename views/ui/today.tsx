import { createContext, useContext } from 'react'
import { showDate, showDays } from '../format'

/** Current business day as `YYYY-MM-DD`. Items with an earlier due date are late. */
export const Today = createContext('')

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

export const showMonth = (day: string) => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

/** Shows a date in a list, as in `Nov 23`. */
export function Day({ date }: { date: string | null }) {
  const today = useContext(Today)
  if (!date) return <>—</>
  const [year = '', month, day] = date.split('-')
  return (
    <time dateTime={date} title={showDate(date)}>
      {MONTHS[Number(month) - 1]} {Number(day)}
      {today.startsWith(year) ? '' : ` ’${year.slice(2)}`}
    </time>
  )
}

const MS_PER_DAY = 86_400_000

/** Negative if `to` is earlier than `from`. */
export const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / MS_PER_DAY)

export function DueIn({ date, today }: { date: string; today: string }) {
  const days = daysBetween(today, date)
  if (days < 0) return <span className="due-far is-danger">{showDays(-days)} late</span>
  return days === 0 ? (
    <span className="due-far is-now">Today</span>
  ) : (
    <span className="due-far">in {showDays(days)}</span>
  )
}

/**
 * Returns the CSS class for the length of a bar. The bar shows `value` as a part of `whole`.
 * The length has ten steps. If it is less than half a step, returns undefined.
 */
export function lengthOf(value: number, whole: number, tone?: 'danger' | 'warning'): string | undefined {
  const step = Math.min(10, Math.round((value / whole) * 10))
  return step < 1 ? undefined : ['len', `len-${step}`, tone && `tone-${tone}`].filter(Boolean).join(' ')
}
