/**
 * Restores the user's place in a list. If an action removed the row, the focus moves to the row that took its place,
 * not to the top of the page.
 */

const KEPT = 'yardmaster-place'
const KEPT_FOR_MS = 120_000
const ROWS = '#list tbody tr[id]'
type Kept = { path: string; at: number; scroll: number; ids: string[]; top: number; field: string }

/** Records the current row and field for the next page. */
export function keepPlace() {
  let row: Element | null = null
  let field = ''
  const notice = ({ target }: Event) => {
    const here = target instanceof Element && target.closest(ROWS)
    // The history entry stores the row, for a return with Back.
    if (here && here !== row) history.replaceState({ ...history.state, row: here.id }, '')
    row = here || row
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) field = target.id
  }
  document.addEventListener('focusin', notice)
  document.addEventListener('click', notice)
  window.addEventListener('pagehide', () => {
    const rows = [...document.querySelectorAll(ROWS)]
    const at = row ? rows.indexOf(row) : -1
    // The row itself, then those below, then those above, nearest first.
    const near = at < 0 ? [] : [...rows.slice(at), ...rows.slice(0, at).reverse()]
    const kept: Kept = {
      path: location.pathname,
      at: Date.now(),
      scroll: scrollY,
      ids: near.map(({ id }) => id),
      top: row?.getBoundingClientRect().top ?? 0,
      field,
    }
    sessionStorage.setItem(KEPT, JSON.stringify(kept))
  })
}

/** Focuses the last used row after Back. The browser restores only the scroll position. */
export function backToRow() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'back_forward' || document.activeElement !== document.body) return
  const row = document.getElementById(String(history.state?.row))
  row?.querySelector<HTMLElement>('.unit a, td a')?.focus({ preventScroll: true })
}

/** Restores the recorded place on a page that reports a change. */
export function goOn() {
  const text = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!text || !document.querySelector('[data-toast]') || document.activeElement !== document.body) return
  const { path, at, scroll, ids, top, field } = JSON.parse(text) as Kept
  if (path !== location.pathname || Date.now() - at > KEPT_FOR_MS) return
  const row = ids.map((id) => document.getElementById(id)).find((found) => found !== null)
  if (!row) {
    window.scrollTo(0, scroll)
    // For example a note field, where the next note is typed.
    if (field) document.getElementById(field)?.focus({ preventScroll: true })
    return
  }
  row.querySelector<HTMLElement>('.unit a, td a')?.focus({ preventScroll: true })
  window.scrollBy(0, row.getBoundingClientRect().top - top)
}
