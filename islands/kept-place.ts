/**
 * When what was done takes its row out of the list, the work goes on at the row that stands in its place, and not at
 * the top of the page.
 */

const KEPT = 'yardmaster-place'
const KEPT_FOR_MS = 120_000
const ROWS = '#list tbody tr[id]'
type Kept = { path: string; at: number; scroll: number; ids: string[]; top: number }

/** Notes where somebody is, for the page that comes back after what they do there. */
export function keepPlace() {
  let row: Element | null = null
  const notice = ({ target }: Event) => {
    row = (target instanceof Element && target.closest(ROWS)) || row
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
    }
    sessionStorage.setItem(KEPT, JSON.stringify(kept))
  })
}

/** Goes on where somebody was, on a page that says what was done on it. */
export function goOn() {
  const text = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!text || !document.querySelector('[data-toast]') || document.activeElement !== document.body) return
  const { path, at, scroll, ids, top } = JSON.parse(text) as Kept
  if (path !== location.pathname || Date.now() - at > KEPT_FOR_MS) return
  const row = ids.map((id) => document.getElementById(id)).find((found) => found !== null)
  if (!row) return window.scrollTo(0, scroll)
  row.querySelector<HTMLElement>('.unit a, td a')?.focus({ preventScroll: true })
  window.scrollBy(0, row.getBoundingClientRect().top - top)
}
