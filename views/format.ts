import { areCostsSeen } from './costs'

/** How figures and dates are written on every page. Dates are `YYYY-MM-DD`, for readers in the US. */

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const count = new Intl.NumberFormat('en-US')

export const NONE = '—'
/** Stands for a cost that its reader may not see. */
export const HIDDEN = '•••'

/** `$1,250.50`, `−$20.00`, or a dash; dots for who may not see it. */
export const showMoney = (amount: number | null) =>
  amount === null ? NONE : !areCostsSeen() ? HIDDEN : `${amount < 0 ? '−' : ''}$${money.format(Math.abs(amount))}`

/** `12,500`, or a dash. */
export const showCount = (value: number | null) => (value === null ? NONE : count.format(value))

/** `1 day`, `12 days`. */
export const showDays = (days: number) => `${showCount(days)} ${days === 1 ? 'day' : 'days'}`

/** `01/31/2026`, or a dash. */
export function showDate(date: string | null): string {
  if (!date) return NONE
  const [year, month, day] = date.split('-')
  return `${month}/${day}/${year}`
}

const instantIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: 'numeric',
    minute: '2-digit',
  })
/** One for each time zone: to make one takes longer than what it writes. */
const instants = new Map<string, Intl.DateTimeFormat>()

/** `01/31/2026, 2:05 PM` in the business time zone, or a dash. */
export function showInstant(instant: Date | string | null, timeZone: string): string {
  if (!instant) return NONE
  const format = instants.get(timeZone) ?? instantIn(timeZone)
  instants.set(timeZone, format)
  return format.format(new Date(instant))
}

/** The text, cut to `max` characters with an ellipsis. */
export const cut = (text: string | null, max: number) =>
  !text ? NONE : text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text

/** A figure that is looked at rather than read: `98K`. */
export const showShort = (value: number) => new Intl.NumberFormat('en-US', { notation: 'compact' }).format(value)
