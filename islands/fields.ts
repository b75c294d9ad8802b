import { showToast } from './toast'

/** Blocks forms with an incomplete or impossible date. The browser would send the field empty. */
export function unfinishedDays() {
  document.addEventListener(
    'submit',
    (event) => {
      const fields = (event.target as HTMLFormElement).querySelectorAll<HTMLInputElement>('input[type=date]')
      const invalidField = [...fields].find((field) => field.validity.badInput)
      if (!invalidField) return
      event.preventDefault()
      event.stopImmediatePropagation()
      invalidField.focus()
      showToast('Enter a complete date, for example 11/23/2026', { tone: 'danger' })
    },
    { capture: true },
  )
}

/** Trims pasted text before the field's length limit cuts off its end. */
export function trimPasted() {
  document.addEventListener('paste', (event) => {
    const field = event.target
    if (!(field instanceof HTMLInputElement) || field.type === 'password') return
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text === text.trim() || text.trim() === '') return
    // The grid handles several pasted cells.
    if (field.dataset.cell !== undefined && /[\t\n]/.test(text.trim())) return
    event.preventDefault()
    // Unlike setting the value, this can be undone and fires an `input` event.
    document.execCommand('insertText', false, text.trim())
  })
}

/**
 * Sets a control when a related field is filled in. `data-ticks` is the `name` of a checkbox to tick, or `name=choice`
 * of a select.
 */
export function ticks() {
  document.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement
    if (!field.dataset?.ticks || !field.value) return
    const [name, choice = ''] = field.dataset.ticks.split('=')
    const other = field.form?.querySelector<HTMLInputElement | HTMLSelectElement>(
      `input[type=checkbox][name="${name}"], select[name="${name}"]`,
    )
    if (other instanceof HTMLInputElement) other.checked = true
    else if (other) other.value = choice
  })
}

export function upperCase() {
  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement
    if (field.dataset?.upper === undefined) return
    const { selectionStart, selectionEnd } = field
    field.value = field.value.toUpperCase()
    field.setSelectionRange(selectionStart, selectionEnd)
  })
}
