/**
 * When what was done takes its row out of the list, the work goes on at the row that stands in its place, and not at
 * the top of the page.
 */

const KEPT = 'yardmaster-place'
const KEPT_FOR_MS = 120_000
const ROWS = '#list tbody tr[id]'
type Kept = { path: string; at: number; scroll: number; ids: string[]; top: number; field: string }

/** Notes where somebody is, for the page that comes back after what they do there. */
export function keepPlace() {
  let row: Element | null = null
  let field = ''
  const notice = ({ target }: Event) => {
    const here = target instanceof Element && target.closest(ROWS)
    // The step of the history tells the row that was left, for who comes back.
    if (here && here !== row) history.replaceState({ ...history.state, row: here.id }, '')
    row = here || row
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) field = target.id
  }
  document.addEventListener('focusin', notice)
  document.addEventListener('click', notice)
  window.addEventListener('pagehide', () => {
    const rows = [...document.querySelectorAll(ROWS)]
    const at = row ? rows.indexOf(row) : -1
    // Itself, then those below it, then those above, the nearest first.
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

/** Back leads to the row that was left; the browser itself only scrolls there. */
export function backToRow() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'back_forward' || document.activeElement !== document.body) return
  const row = document.getElementById(String(history.state?.row))
  row?.querySelector<HTMLElement>('.unit a, td a')?.focus({ preventScroll: true })
}

/** Goes on where somebody was, on a page that says what was done on it. */
export function goOn() {
  const text = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!text || !document.querySelector('[data-toast]') || document.activeElement !== document.body) return
  const { path, at, scroll, ids, top, field } = JSON.parse(text) as Kept
  if (path !== location.pathname || Date.now() - at > KEPT_FOR_MS) return
  const row = ids.map((id) => document.getElementById(id)).find((found) => found !== null)
  if (!row) {
    window.scrollTo(0, scroll)
    // Such as a note's: the next one is typed there.
    if (field) document.getElementById(field)?.focus({ preventScroll: true })
    return
  }
  row.querySelector<HTMLElement>('.unit a, td a')?.focus({ preventScroll: true })
  window.scrollBy(0, row.getBoundingClientRect().top - top)
}
