import { createContext, useContext } from 'react'
import { showDate } from '../format'

/** The business day as `YYYY-MM-DD`, which decides what is late. */
export const Today = createContext('')

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** For example `Mar 2026`. */
export const showMonth = (day: string) => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`

/**
 * A date in a list, such as `Nov 23`. The year is added unless it is the current year. The tooltip has the full date.
 */
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

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / MS_PER_DAY)

/** Distance to a date: `11 d late`, `Today`, `in 2 d`. */
export function DueIn({ date, today }: { date: string; today: string }) {
  const days = daysBetween(today, date)
  if (days < 0) return <span className="due-far is-danger">{-days} d late</span>
  return days === 0 ? <span className="due-far is-now">Today</span> : <span className="due-far">in {days} d</span>
}

/**
 * Returns the class of a bar with ten steps, for the share of `value` in `whole`. A bar of less than half a step has no
 * class.
 */
export function lengthOf(value: number, whole: number, tone?: 'danger' | 'warning'): string | undefined {
  const step = Math.min(10, Math.round((value / whole) * 10))
  return step < 1 ? undefined : ['len', `len-${step}`, tone && `tone-${tone}`].filter(Boolean).join(' ')
}
