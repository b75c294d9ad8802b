/**
 * Marks and focuses the row of a change that reloaded the page. If the message names no row, focuses the content
 * of the page, so that keyboard users continue there and not at the top of the window.
 */
export function showChangedRow() {
  const toast = document.querySelector<HTMLElement>('[data-toast]')
  if (!toast) return
  const row = document.getElementById(toast.dataset.row ?? '')
  row?.classList.add('is-fresh')
  row?.scrollIntoView({ block: 'nearest' })
  if (row) row.tabIndex = -1
  const place = row ?? document.querySelector('main')
  if (row || document.activeElement === document.body) place?.focus({ preventScroll: true })
}
