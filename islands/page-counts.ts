const QUIET_MS = 300

let waiting: ReturnType<typeof setTimeout> | undefined

const COUNTS = ['lead', 'tabs', 'selection-total', 'upload-history']
/** Links to other pages of the list, and links that export it. */
const PAGER = ['range-top', 'range', 'pages-top', 'pages', 'list-files']

function put(page: Document, ids: string[]) {
  for (const id of ids) {
    const newElement = page.getElementById(id)
    if (newElement) document.getElementById(id)?.replaceChildren(...newElement.childNodes)
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
  if (!response.ok) throw new Error(response.statusText)
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** @param page the page that is shown, loaded again */
export async function putCounts(page: Document) {
  put(page, COUNTS)
  const removed = removedRows(page).length
  if (removed === 0) return put(page, PAGER)
  // Rows that have left the list stay visible until it is loaded again. The links to further pages must allow for
  // them, so that no record is skipped.
  const shown = rowsOf(document.getElementById('list')).length - removed
  const [range = '0 of 0'] = [page.getElementById('range')?.textContent]
  const [first = '1'] = document.getElementById('range')?.textContent?.split('–') ?? []
  const last = (Number(first.replaceAll(',', '')) + shown - 1).toLocaleString('en-US')
  const address = new URL(location.href)
  address.searchParams.set('gone', String(Number(address.searchParams.get('gone')) + removed))
  put(await load(address.href), PAGER)
  for (const id of ['range-top', 'range'])
    document.getElementById(id)?.replaceChildren(`${shown > 0 ? `${first}–${last}` : '0'} of ${range.split(' of ')[1]}`)
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
      // The shown counts stay as they are until the next page opens.
    }
  }, QUIET_MS)
}
