/**
 * Returns the user to the same place in a list after an action.
 * If the action removed the user's row from the list, the focus moves to the row that took its place. Without this
 * module, the user would start at the top of the page.
 */

const STORAGE_KEY = 'yardmaster-place'
const MAX_AGE_MS = 120_000
const ROWS = ':is(#list, .panel-table) tbody tr[id]'
type Place = { path: string; at: number; scroll: number; ids: string[]; top: number; field: string }

/** Stores the current row and field when the user leaves the page. */
export function savePlace() {
  let row: Element | null = null
  let field = ''
  const notice = ({ target }: Event) => {
    const closestRow = target instanceof Element && target.closest(ROWS)
    // Store the row in the history entry. If the user returns with the Back button, the row gets the focus again.
    if (closestRow && closestRow !== row) history.replaceState({ ...history.state, row: closestRow.id }, '')
    row = closestRow || row
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) field = target.id
  }
  document.addEventListener('focusin', notice)
  document.addEventListener('click', notice)
  window.addEventListener('pagehide', () => {
    const rows = [...document.querySelectorAll(ROWS)]
    const at = row ? rows.indexOf(row) : -1
    // Order in which the next page looks for a row to focus: the row itself, the rows below it, then the rows above it,
    // nearest first.
    const near = at < 0 ? [] : [...rows.slice(at), ...rows.slice(0, at).reverse()]
    const place: Place = {
      path: location.pathname,
      at: Date.now(),
      scroll: scrollY,
      ids: near.map(({ id }) => id),
      top: row?.getBoundingClientRect().top ?? 0,
      field,
    }
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(place))
  })
}

/**
 * Focuses the last used row if the user returns with the Back button. The browser itself restores only the scroll
 * position.
 */
export function backToRow() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'back_forward' || document.activeElement !== document.body) return
  const row = document.getElementById(String(history.state?.row))
  row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
}

/** Returns the user to the last used row or field, if the page shows a message about a change. */
export function restorePlace() {
  const text = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  if (!text || !document.querySelector('[data-toast]') || document.activeElement !== document.body) return
  const { path, at, scroll, ids, top, field } = JSON.parse(text) as Place
  if (path !== location.pathname || Date.now() - at > MAX_AGE_MS) return
  const row = ids.map((id) => document.getElementById(id)).find((element) => element !== null)
  if (!row) {
    window.scrollTo(0, scroll)
    // Focus the field that the user used last, for example a note field for the next note.
    if (field) document.getElementById(field)?.focus({ preventScroll: true })
    return
  }
  row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  window.scrollBy(0, row.getBoundingClientRect().top - top)
}
