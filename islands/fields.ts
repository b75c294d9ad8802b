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

export function openGroup(field: Element) {
  const group = field.closest('details')
  if (group) group.open = true
}
