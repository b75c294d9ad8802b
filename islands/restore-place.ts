/**
 * Returns to the same place in a list after an action.
 * If the action removed the user's row from the list, the focus moves to the row that took its place. Without this
 * module, the user would start at the top of the page.
 */

const STORAGE_KEY = 'yardmaster-place'
const MAX_AGE_MS = 120_000
const ROWS = ':is(#list, .panel-table) tbody tr[id]'
type Place = { path: string; at: number; scroll: number; ids: string[]; top: number; field: string }

export function savePlace() {
  let row: Element | null = null
  let field = ''
  const notice = ({ target }: Event) => {
    const closestRow = target instanceof Element && target.closest(ROWS)
    // The row in the history entry gets the focus again after Back.
    if (closestRow && closestRow !== row) history.replaceState({ ...history.state, row: closestRow.id }, '')
    row = closestRow || row
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) field = target.id
  }
  document.addEventListener('focusin', notice)
  document.addEventListener('click', notice)
  window.addEventListener('pagehide', () => {
    const rows = [...document.querySelectorAll(ROWS)]
    const at = row ? rows.indexOf(row) : -1
    // The next page focuses the first of these rows that it contains: the row itself, the rows below it, then the rows
    // above it, nearest first.
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

/** Focuses the last used row after Back. The browser itself restores only the scroll position. */
export function backToRow() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'back_forward' || document.activeElement !== document.body) return
  const row = document.getElementById(String(history.state?.row))
  row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
}

/**
 * Focuses the content of the page after a change that reloaded the page, if nothing else has the focus. Keyboard users
 * then continue there, and not at the top of the window. On a slow computer, the browser focuses a field with
 * `autofocus` only after this script.
 */
export function focusContent() {
  if (document.querySelector('[data-toast]') && document.activeElement === document.body)
    document.querySelector<HTMLElement>('main:not(:has([autofocus]))')?.focus({ preventScroll: true })
}

export function restorePlace() {
  const text = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  if (!text || !document.querySelector('[data-toast]') || document.activeElement !== document.body) return
  const { path, at, scroll, ids, top, field } = JSON.parse(text) as Place
  if (path !== location.pathname || Date.now() - at > MAX_AGE_MS) return
  const rows = ids.flatMap((id) => document.getElementById(id) ?? [])
  const [row] = rows
  if (!row) {
    window.scrollTo(0, scroll)
    // For example, a note field gets the focus for the next note.
    if (field) document.getElementById(field)?.focus({ preventScroll: true })
    return
  }
  window.scrollBy(0, row.getBoundingClientRect().top - top)
  // After a decision, continue with the next row that needs one, so that another Enter does not undo the decision. Do
  // not scroll there, because the next row can be far below on a phone.
  const next = row.querySelector('[data-settled]') ? rows.find((one) => one.querySelector('.why')) : null
  const target = next?.querySelector<HTMLElement>('.why') ?? row.querySelector<HTMLElement>('a, button')
  target?.focus({ preventScroll: true })
}
