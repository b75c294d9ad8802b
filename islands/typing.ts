import { today } from './today'

/** Days in a few keys. */

const day = (text: string, add = 0) => {
  const date = new Date(`${text}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + add)
  return date.toISOString().slice(0, 10)
}

/** What is typed after a pause begins anew. */
const PAUSE_MS = 1200

function setDay(field: HTMLInputElement, value: string) {
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** The day that a month and a day mean without a year: the one that is nearest to today. */
export function nearest(month: number, dayOfMonth: number, from: string): string | null {
  const year = Number(from.slice(0, 4))
  const candidates = [year - 1, year, year + 1].flatMap((year) => {
    const text = `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
    return Number.isNaN(Date.parse(text)) || day(text) !== text ? [] : [text]
  })
  const distance = (text: string) => Math.abs(Date.parse(text) - Date.parse(from))
  return candidates.sort((a, b) => distance(a) - distance(b))[0] ?? null
}

/**
 * In a date field `t` is today and `+3` or `-1` so many days from it; a month and a day without a year, as in `11/23`, are
 * completed when the field is left. Everything else is the browser's own.
 */
export function dayKeys() {
  let field: HTMLInputElement | undefined
  let typed = ''
  let last = 0
  const complete = () => {
    const [, month, dayOfMonth] = /^(\d{1,2})\/?(\d{1,2})\/?$/.exec(typed) ?? []
    typed = ''
    if (!field?.validity.badInput || !month) return
    const found = nearest(Number(month), Number(dayOfMonth), today())
    if (found) setDay(field, found)
  }
  document.addEventListener('focusin', ({ target }) => {
    // Setting a day moves the focus within the field, which is no new field.
    if (target === field) return
    typed = ''
    field = target instanceof HTMLInputElement && target.type === 'date' ? target : undefined
  })
  document.addEventListener('focusout', complete, true)
  document.addEventListener(
    'keydown',
    (event) => {
      if (!field || event.target !== field || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Enter') return complete()
      if (Date.now() - last > PAUSE_MS && /^[+-]/.test(typed)) typed = ''
      last = Date.now()
      if (event.key === 'Tab' || event.key === 'Backspace' || event.key === 'Delete') {
        if (event.key !== 'Tab') typed = ''
        return
      }
      if (event.key === 't' || event.key === 'T') setDay(field, today())
      else if (event.key === '+' || event.key === '-') typed = event.key
      else if (/^\d$/.test(event.key) && /^[+-]\d*$/.test(typed)) {
        typed += event.key
        setDay(field, day(today(), Math.max(-9999, Math.min(9999, Number(typed)))))
      } else {
        if (/^[\d/]$/.test(event.key)) typed = /^[+-]/.test(typed) ? event.key : typed + event.key
        return
      }
      event.preventDefault()
    },
    true,
  )
}
