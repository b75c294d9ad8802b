const QUIET_MS = 300

let waiting: ReturnType<typeof setTimeout> | undefined

const COUNTS = ['lead', 'tabs', 'selection-total', 'upload-history', 'kinds']
/** Links to other pages of the list, and links that export it. */
const PAGER = ['pages-top', 'pages', 'list-files']
/** Texts that say which rows of the list are shown. */
const RANGES = ['range-top', 'range']

function put(page: Document, ids: string[]) {
  for (const id of ids) {
    const [element, newElement] = [document.getElementById(id), page.getElementById(id)]
    if (!element || !newElement) continue
    // New elements would take away the focus and the typed input.
    if (element.contains(document.activeElement)) update(element, newElement)
    // Moving options one by one would select another one of them.
    else element.innerHTML = newElement.innerHTML
  }
}

/** Updates the links and hidden fields of an element, and the number of the last page. */
function update(element: Element, newElement: Element) {
  const links = element.querySelectorAll('a')
  const newLinks = newElement.querySelectorAll('a')
  if (links.length === newLinks.length)
    for (const [at, link] of links.entries()) {
      const newLink = newLinks[at] as HTMLAnchorElement
      link.href = newLink.href
      link.replaceChildren(...newLink.childNodes)
    }
  for (const newField of newElement.querySelectorAll<HTMLInputElement>('input')) {
    const field = element.querySelector<HTMLInputElement>(`input[name="${newField.name}"]`)
    if (!field) continue
    field.max = newField.max
    field.disabled = newField.disabled
    if (field.type === 'hidden') field.value = newField.value
  }
}

export const rowsOf = (container: ParentNode | null) => [
  ...(container?.querySelectorAll<HTMLElement>('tbody tr[id]') ?? []),
]

/** Returns the displayed rows that have left the list. @param page the same page of the list, loaded again */
export const removedRows = (page: Document) =>
  rowsOf(document.getElementById('list')).filter(
    (row) => row.matches('.is-gone, .is-done, [data-own]') && !page.getElementById(row.id),
  )

/** Loads the page again. Throws if this fails. */
async function load(address: string): Promise<Document> {
  const response = await fetch(address, { headers: { 'hx-request': 'true' } })
  if (!response.ok) throw new Error()
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** @param page the page that is shown, loaded again */
export async function putCounts(page: Document) {
  put(page, COUNTS)
  const removed = removedRows(page).length
  const shown = rowsOf(document.getElementById('list')).length - removed
  const range = page.getElementById('range')
  const [, first = '1', total = '0'] = /(.+)–.+ of (.+)/.exec(range?.textContent ?? '') ?? []
  const last = (Number(first.replaceAll(',', '')) + shown - 1).toLocaleString('en-US')
  // Rows that have left the list stay visible until it is loaded again. The links to further pages must allow for
  // them, so that no record is skipped.
  const address = new URL(location.href)
  address.searchParams.set('gone', String(Number(address.searchParams.get('gone')) + removed))
  put(removed > 0 ? await load(address.href) : page, PAGER)
  for (const id of RANGES)
    document.getElementById(id)?.replaceChildren(`${shown > 0 ? `${first}–${last}` : '0'} of ${total}`)
}

/** Updates the counts, once for several changes in quick succession. */
export function refreshCounts() {
  clearTimeout(waiting)
  waiting = setTimeout(async () => {
    try {
      const page = await load(location.href)
      document.dispatchEvent(new CustomEvent('yardmaster:changed', { detail: page }))
      await putCounts(page)
    } catch {
      window.addEventListener('online', refreshCounts, { once: true })
    }
  }, QUIET_MS)
}
