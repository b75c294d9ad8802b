import { showToast } from './toast'

/** Notice of new rows, in the header. They are shown only on request, so that nothing moves under the pointer. */

const list = () => document.getElementById('list')
const rowsOf = (of: ParentNode | null) => [...(of?.querySelectorAll<HTMLElement>('tbody tr[id]') ?? [])]

/** The list that the notice describes. A list that replaces it has no new rows yet. */
let told: HTMLElement | null = null

/**
 * Updates the notice with the number of rows not shown yet. Rows that left the list are still shown, so they are added
 * to the difference. If as many rows left other pages as came, the number is unknown and the notice says "Changed".
 */
export function countNew(page: Document) {
  const of = list()
  const total = Number(page.getElementById('list')?.dataset.total ?? Number.NaN)
  if (!of || Number.isNaN(total)) return
  told = of
  const shown = rowsOf(of)
  const left = shown.filter((row) => row.matches('.is-gone, .is-done, [data-own]') && !page.getElementById(row.id))
  const came = total - Number(of.dataset.total) + left.length
  if (came > 0) return say(`${came.toLocaleString('en-US')} new`)
  const ids = new Set(shown.map(({ id }) => id))
  const unseen = rowsOf(page.getElementById('list')).filter(({ id }) => !ids.has(id))
  say(unseen.length > left.length ? 'Changed' : '')
}

function say(words: string) {
  const news = document.getElementById('news')
  if (!words) return news?.replaceChildren()
  const shown = news?.querySelector('a') ?? link()
  const verb = document.createElement('span')
  verb.textContent = ' · show'
  shown.replaceChildren(words, verb)
  if (!shown.isConnected) news?.append(shown)
}

/** Link that reloads the list in place. With a modifier key it opens the page itself. */
function link(): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = location.href
  link.addEventListener('click', (event) => {
    const of = list()
    if (!of || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void show(of, event.detail === 0)
  })
  return link
}

/** @param isByKey moves the focus to the first new row; after a click the focus stays */
async function show(of: HTMLElement, isByKey: boolean) {
  const before = new Set(rowsOf(of).map(({ id }) => id))
  const ticked = [...of.querySelectorAll<HTMLInputElement>('input[name=ids]:checked')].map(({ value }) => value)
  await window.htmx.ajax('GET', location.href, {
    target: '#list',
    select: '#list',
    swap: 'outerHTML',
    selectOOB: '#lead,#narrowing',
  })
  const rows = rowsOf(list())
  const fresh = rows.filter(({ id }) => !before.has(id))
  for (const row of fresh) row.classList.add('is-changed')
  for (const value of ticked) {
    const box = list()?.querySelector<HTMLInputElement>(`input[name=ids][value="${CSS.escape(value)}"]`)
    if (box) box.checked = true
  }
  if (ticked.length) document.dispatchEvent(new Event('yardmaster:ticked'))
  if (fresh.length === 0) showToast('The new rows are on another page of this list.')
  if (isByKey)
    (fresh[0] ?? rows[0])?.querySelector<HTMLElement>('.unit a, td a')?.focus({ preventScroll: fresh.length === 0 })
}

/** Updates the notice after changes here, and clears it for another list. */
export function newsOfLists() {
  document.addEventListener('yardmaster:changed', (event) => countNew((event as CustomEvent<Document>).detail))
  document.addEventListener('htmx:after:swap', () => {
    if (list() !== told) say('')
  })
}
