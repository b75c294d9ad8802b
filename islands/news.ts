/**
 * What came to the open list while it is looked at: said in the header, where nothing moves under a pointer, and shown
 * when somebody asks for it.
 */

const list = () => document.getElementById('list')
const totalOf = (page: Document) => Number(page.getElementById('list')?.dataset.total ?? Number.NaN)

/** How many records the list had when it was asked for, but for what was done on this page since; and by now. */
type Known = { base: number; seen: number }
const known = new WeakMap<HTMLElement, Known>()

function knownOf(of: HTMLElement): Known {
  const found = known.get(of) ?? { base: Number(of.dataset.total), seen: Number(of.dataset.total) }
  known.set(of, found)
  return found
}

/** After a change of one's own: by what the list is longer or shorter now is nothing new. */
function countOwn(page: Document) {
  const [of, total] = [list(), totalOf(page)]
  if (!of || Number.isNaN(total)) return
  const count = knownOf(of)
  count.base += total - count.seen
  count.seen = total
}

/** After changes of others: says how many are in the list that are not shown as part of it. */
export function countNew(page: Document) {
  const [of, total] = [list(), totalOf(page)]
  if (!of || Number.isNaN(total)) return
  const count = knownOf(of)
  count.seen = total
  // Those that left it are shown still, greyed.
  say(total - count.base + of.querySelectorAll('tr.is-gone').length)
}

function say(count: number) {
  const news = document.getElementById('news')
  if (!news) return
  if (count <= 0) return news.replaceChildren()
  const shown = news.querySelector('a') ?? link()
  const verb = document.createElement('span')
  verb.textContent = ' · show'
  shown.replaceChildren(`${count.toLocaleString('en-US')} new`, verb)
  if (!shown.isConnected) news.append(shown)
}

/** Asks for the list again, in its place; without htmx it is the page itself. */
function link(): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = location.href
  link.addEventListener('click', (event) => {
    const of = list()
    if (!of || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void show(of, link)
  })
  return link
}

async function show(of: HTMLElement, link: HTMLAnchorElement) {
  const before = new Set([...of.querySelectorAll('tr[id]')].map(({ id }) => id))
  const ticked = [...of.querySelectorAll<HTMLInputElement>('input[name=ids]:checked')].map(({ value }) => value)
  const isFocused = link === document.activeElement
  await window.htmx.ajax('GET', location.href, {
    target: '#list',
    select: '#list',
    swap: 'outerHTML',
    selectOOB: '#lead,#narrowing',
  })
  const rows = [...(list()?.querySelectorAll<HTMLElement>('tr[id]') ?? [])]
  const fresh = rows.filter(({ id }) => !before.has(id))
  for (const row of fresh) row.classList.add('is-changed')
  for (const value of ticked) {
    const box = list()?.querySelector<HTMLInputElement>(`input[name=ids][value="${CSS.escape(value)}"]`)
    if (box) box.checked = true
  }
  if (ticked.length) document.dispatchEvent(new Event('yardmaster:ticked'))
  if (isFocused) (fresh[0] ?? rows[0])?.querySelector<HTMLElement>('.unit a, td a')?.focus()
}

/** Follows what is done on the page itself; another list in the place of the one that was open has nothing new. */
export function newsOfLists() {
  document.addEventListener('yardmaster:changed', (event) => countOwn((event as CustomEvent<Document>).detail))
  document.addEventListener('htmx:after:swap', () => {
    const of = list()
    if (of && !known.has(of)) say(0)
  })
}
