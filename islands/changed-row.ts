export function showChangedRow() {
  const id = document.querySelector<HTMLElement>('[data-toast][data-row]')?.dataset.row
  const row = id && document.getElementById(id)
  if (!row) return
  row.classList.add('is-fresh')
  row.tabIndex = -1
  row.scrollIntoView({ block: 'nearest' })
  row.focus({ preventScroll: true })
}
