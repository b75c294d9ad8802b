/**
 * Hides an error or warning when the user changes its field.
 * The message describes the earlier value. Its space is kept. Otherwise, a button or row would move away while the user
 * presses it. The list of errors is hidden together with its last entry.
 */
export const forgetErrors = () =>
  document.addEventListener('input', ({ target }) => forgetError(target as HTMLInputElement))

const hide = (element: HTMLElement) => element.style.setProperty('visibility', 'hidden')

/** Removes the text. Hiding it is not enough, because screen readers read hidden descriptions of a field, too. */
function clear(note: HTMLElement) {
  note.style.height = `${note.offsetHeight}px`
  note.textContent = ''
}

export function forgetError(field: HTMLInputElement | HTMLSelectElement) {
  const form = field.closest('.form, .report-form')
  if (!form || !field.name) return
  // In a table, the error of a field is in the table cell (`td`) instead of the frame (`.field`).
  const frame = field.closest('.field, td')
  frame?.classList.remove('field-wrong')
  for (const note of frame?.querySelectorAll<HTMLElement>('.field-error') ?? []) clear(note)
  for (const control of frame?.querySelectorAll('[aria-invalid]') ?? []) control.removeAttribute('aria-invalid')
  const summary = form.querySelector<HTMLElement>('[data-error-summary]')
  const entry = summary?.querySelector<HTMLElement>(`li:has(a[href="#${CSS.escape(field.name)}"])`)
  if (!summary || !entry) return
  hide(entry)
  const isShown = ({ style }: HTMLElement) => style.visibility === ''
  if (![...summary.querySelectorAll('li')].some(isShown) && !summary.querySelector('.changed-since')) hide(summary)
}
