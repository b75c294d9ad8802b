import { areCostsSeen } from './costs'

/** Formatting of figures and dates on all pages. Input dates are `YYYY-MM-DD`; the output is for US readers. */

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const count = new Intl.NumberFormat('en-US')

export const NONE = '—'
/** Replaces a cost that the user cannot see. */
export const HIDDEN = '•••'

/** `$1,250.50`, `−$20.00`, a dash for null, or dots for a hidden cost. */
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
/** Formatters by time zone. Creating one takes longer than formatting with it. */
const instants = new Map<string, Intl.DateTimeFormat>()

/** `01/31/2026, 2:05 PM` in the business time zone, or a dash. */
export function showInstant(instant: Date | string | null, timeZone: string): string {
  if (!instant) return NONE
  const format = instants.get(timeZone) ?? instantIn(timeZone)
  instants.set(timeZone, format)
  return format.format(new Date(instant))
}

/** The text, cut to `max` characters with an ellipsis; a dash if empty. */
export const cut = (text: string | null, max: number) =>
  !text ? NONE : text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text

/** Compact figure, such as `98K`. */
export const showShort = (value: number) => new Intl.NumberFormat('en-US', { notation: 'compact' }).format(value)
