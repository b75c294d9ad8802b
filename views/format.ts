import { areCostsSeen } from './costs'

/** Formatting of numbers and dates on all pages. Input dates are `YYYY-MM-DD`. The output has the US format. */

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const count = new Intl.NumberFormat('en-US')

export const NONE = '—'
/** Text shown instead of a cost that the user cannot see. */
export const HIDDEN = '•••'

/** Formats an amount in dollars, such as `$1,250.50` or `−$20.00`. */
export const showMoney = (amount: number | null) =>
  amount === null ? NONE : !areCostsSeen() ? HIDDEN : `${amount < 0 ? '−' : ''}$${money.format(Math.abs(amount))}`

export function showDifference(amount: number): string {
  const cents = Math.round(amount * 100)
  return `${cents > 0 && areCostsSeen() ? '+' : ''}${showMoney(cents / 100)}`
}

export const showCount = (value: number | null) => (value === null ? NONE : count.format(value))

export const showDays = (days: number) => `${showCount(days)} ${days === 1 ? 'day' : 'days'}`

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
/** Date formatters by time zone. They are cached, because creating a formatter takes longer than using it. */
const instants = new Map<string, Intl.DateTimeFormat>()

/** Formats a point in time as `01/31/2026, 2:05 PM`. */
export function showInstant(instant: Date | string | null, timeZone: string): string {
  if (!instant) return NONE
  const format = instants.get(timeZone) ?? instantIn(timeZone)
  instants.set(timeZone, format)
  return format.format(new Date(instant))
}

export const cut = (text: string | null, max: number) =>
  !text ? NONE : text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text

export const showShort = (value: number) => new Intl.NumberFormat('en-US', { notation: 'compact' }).format(value)
