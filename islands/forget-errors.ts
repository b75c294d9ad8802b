/**
 * Removes an error or warning when the user changes its field.
 * The message describes the earlier value. The list of errors disappears together with its last entry.
 */
export const forgetErrors = () =>
  document.addEventListener('input', ({ target }) => forgetError(target as HTMLInputElement))

export function forgetError(field: HTMLInputElement | HTMLSelectElement) {
  const form = field.closest('.form, .report-form')
  if (!form || !field.name) return
  // In a table, the error of a field is in the table cell (`td`) instead of the frame (`.field`).
  const frame = field.closest('.field, td')
  frame?.classList.remove('field-wrong')
  frame?.querySelector('.field-error')?.remove()
  for (const control of frame?.querySelectorAll('[aria-invalid]') ?? []) control.removeAttribute('aria-invalid')
  const summary = form.querySelector<HTMLElement>('[data-error-summary]')
  const entry = summary?.querySelector(`a[href="#${CSS.escape(field.name)}"]`)?.closest('li')
  // Keep the space of the last entry. Otherwise, a button would move away while the user presses it.
  if (entry?.matches(':only-child') && !summary?.querySelector('.changed-since')) summary!.style.visibility = 'hidden'
  else entry?.remove()
}
