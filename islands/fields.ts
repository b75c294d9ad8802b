import { showToast } from './toast'

/**
 * Prevents sending a form with an incomplete or impossible date.
 * Otherwise, the browser would send an empty value without showing an error.
 */
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

/**
 * Changes another field when the user fills in a `data-ticks` field.
 * `data-ticks="status=Delivered"` selects `Delivered` in the select `status`. `data-ticks="storage_fees_applicable"`
 * ticks the checkbox with this name. If the user clears the field again, the other field gets its earlier value back.
 */
export function ticks() {
  document.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement
    if (!field.dataset?.ticks) return
    const [name, choice = ''] = field.dataset.ticks.split('=')
    const other = field.form?.querySelector<HTMLInputElement | HTMLSelectElement>(
      `input[type=checkbox][name="${name}"], select[name="${name}"]`,
    )
    if (!other) return
    const value = other instanceof HTMLInputElement ? String(other.checked) : other.value
    const ticked = other instanceof HTMLInputElement ? 'true' : choice
    const { replaced } = other.dataset
    if (field.value && value !== ticked) other.dataset.replaced = value
    else if (field.value || value !== ticked || replaced === undefined) return
    else delete other.dataset.replaced
    const next = field.value ? ticked : replaced
    if (other instanceof HTMLInputElement) other.checked = next === 'true'
    else other.value = next ?? ''
  })
}

export function openGroup(field: Element) {
  const group = field.closest('details')
  if (group) group.open = true
}
