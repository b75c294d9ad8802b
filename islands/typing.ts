import { showFieldError } from './field-error'
import { today } from './today'

const day = (text: string, add = 0) => {
  const date = new Date(`${text}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + add)
  return date.toISOString().slice(0, 10)
}

/**
 * Pause between two keys in a date field.
 * After a longer pause, a digit starts a new entry instead of extending an entry such as `+3`.
 */
const PAUSE_MS = 1200

/**
 * Returns the field that follows a date field in the form.
 * In a date field, the Tab key itself only moves to the next part, for example from month to day.
 */
function nextOf(field: HTMLInputElement): HTMLElement | undefined {
  const fields = [...(field.form?.elements ?? [])].filter(
    (other): other is HTMLElement =>
      other instanceof HTMLElement && other.tabIndex >= 0 && !other.matches(':disabled') && other.offsetParent !== null,
  )
  return fields[fields.indexOf(field) + 1]
}

function setDay(field: HTMLInputElement, value: string) {
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Returns the nearest date to `from` with this month and day. Null if no such date exists. */
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
 * Adds keyboard shortcuts to date fields.
 * `t` enters today. `+3` enters the date in three days, and `-1` enters yesterday. When the user leaves the field, the
 * year is added to a month and day such as `11/23`. The browser handles all other keys.
 */
export function dayKeys() {
  let field: HTMLInputElement | undefined
  let typed = ''
  let last = 0
  /** True while the field contains a date that a shortcut has set. Tab then moves to the next field. */
  let isWhole = false
  const complete = () => {
    const [, month, dayOfMonth] = /^(\d{1,2})\/?(\d{1,2})\/?$/.exec(typed) ?? []
    typed = ''
    if (!field?.validity.badInput || !month) return
    const completedDate = nearest(Number(month), Number(dayOfMonth), today())
    if (completedDate) setDay(field, completedDate)
    isWhole = completedDate !== null
  }
  document.addEventListener('focusin', ({ target }) => {
    // Setting a date fires `focusin` in the same field. This must not clear the typed text.
    if (target === field) return
    typed = ''
    isWhole = false
    field = target instanceof HTMLInputElement && target.type === 'date' ? target : undefined
  })
  document.addEventListener('focusout', complete, true)
  document.addEventListener(
    'keydown',
    (event) => {
      if (!field || event.target !== field || event.ctrlKey || event.metaKey || event.altKey) return
      const { key } = event
      if (key === 'Enter') return complete()
      if (Date.now() - last > PAUSE_MS && /^[+-]/.test(typed)) typed = ''
      last = Date.now()
      if (key === 'Tab') {
        // Complete the date only after month and day are typed. After the month alone, Tab must move to the day.
        if (/\d\/\d|\d{4}/.test(typed)) complete()
        const next = isWhole && !event.shiftKey ? nextOf(field) : undefined
        if (!next) return
        event.preventDefault()
        return next.focus()
      }
      const wasWhole = isWhole
      isWhole = false
      if (/^(?:Backspace|Delete)$/.test(key)) {
        typed = ''
        return
      }
      if (/^t$/i.test(key)) setDay(field, today())
      else if (/^[+-]$/.test(key)) typed = key
      else if (/^\d$/.test(key) && /^[+-]\d*$/.test(typed)) {
        typed += key
        setDay(field, day(today(), Math.max(-9999, Math.min(9999, Number(typed)))))
      } else {
        isWhole = wasWhole && key === 'Shift'
        if (/^[\d/]$/.test(key)) typed = /^[+-]/.test(typed) ? key : typed + key
        return
      }
      isWhole = !/^[+-]$/.test(typed)
      event.preventDefault()
    },
    true,
  )
}

export function enterSubmits() {
  document.addEventListener('keydown', (event) => {
    const field = event.target as HTMLElement
    const fields = event.ctrlKey || event.metaKey ? 'textarea' : '.form select, .selection-bar select, .is-warning'
    if (event.key !== 'Enter' || !field.matches(fields)) return
    event.preventDefault()
    const form = (field as HTMLSelectElement).form ?? field.closest('form')
    form?.requestSubmit(form.querySelector<HTMLButtonElement>('button[type=submit]'))
  })
}

/** Tells the user that a field is full. The browser drops further input without a message. */
export function warnWhenFull() {
  document.addEventListener('beforeinput', (event) => {
    const field = event.target
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    if (!isText || field.maxLength < 0) return
    const added = event.data ?? event.dataTransfer?.getData('text/plain') ?? ''
    const unselectedLength = field.value.length - ((field.selectionEnd ?? 0) - (field.selectionStart ?? 0))
    const isCut = added && unselectedLength + added.length > field.maxLength
    showFieldError(
      field.closest('.field'),
      'full',
      isCut ? `At most ${field.maxLength} characters. The rest was cut off` : '',
    )
  })
}

/** Shows typed letters in upper case, as the server stores them. */
export function upperCase() {
  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement
    if (field.dataset?.upper === undefined) return
    const { selectionStart, selectionEnd } = field
    field.value = field.value.toUpperCase()
    field.setSelectionRange(selectionStart, selectionEnd)
  })
}
