import { make } from './make'
import { removedRows, rowsOf } from './page-counts'
import { showToast } from './toast'

/**
 * Notice in the header about new rows in the list. The rows appear only when the user clicks the notice, so that
 * nothing moves under the pointer.
 */

const list = () => document.getElementById('list')

let noticeList: HTMLElement | null = null

/**
 * Updates the notice with the number of new rows in the list.
 * This number is the growth of the total plus the number of displayed rows that have left the list. For example, if the
 * total grows from 10 to 11 and one displayed row has left, there are 2 new rows. Rows that leave other pages are not
 * counted, so the number can be too low. If it is zero although new rows have appeared, the notice says "Changed".
 */
export function countNew(page: Document) {
  const currentList = list()
  const total = Number(page.getElementById('list')?.dataset.total ?? Number.NaN)
  if (!currentList || Number.isNaN(total)) return
  noticeList = currentList
  const shownRows = rowsOf(currentList)
  const removedCount = removedRows(page).length
  const addedCount = total - Number(currentList.dataset.total) + removedCount
  if (addedCount > 0) return showNotice(`${addedCount.toLocaleString('en-US')} new`)
  const ids = new Set(shownRows.map(({ id }) => id))
  const unseen = rowsOf(page.getElementById('list')).filter(({ id }) => !ids.has(id))
  showNotice(unseen.length > removedCount ? 'Changed' : '')
}

function showNotice(words: string) {
  const news = document.getElementById('news')
  if (!words) return news?.replaceChildren()
  const notice = news?.querySelector('a') ?? link()
  notice.replaceChildren(words, make('span', {}, ' · show'))
  if (!notice.isConnected) news?.append(notice)
}

function link(): HTMLAnchorElement {
  const link = make('a', { href: location.href })
  link.addEventListener('click', (event) => {
    const currentList = list()
    if (!currentList || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void show(currentList, event.detail === 0)
  })
  return link
}

/** @param isByKey true if the user pressed a key; the focus then moves to the first new row */
async function show(currentList: HTMLElement, isByKey: boolean) {
  const before = new Set(rowsOf(currentList).map(({ id }) => id))
  const ticked = [...currentList.querySelectorAll<HTMLInputElement>('input[name=ids]:checked')].map(
    ({ value }) => value,
  )
  await window.htmx.ajax('GET', location.href, {
    target: '#list',
    select: '#list',
    swap: 'outerHTML',
    selectOOB: '#lead,#narrowing',
  })
  const rows = rowsOf(list())
  const newRows = rows.filter(({ id }) => !before.has(id))
  for (const row of newRows) row.classList.add('is-changed')
  for (const value of ticked) {
    const box = list()?.querySelector<HTMLInputElement>(`input[name=ids][value="${CSS.escape(value)}"]`)
    if (box) box.checked = true
  }
  if (ticked.length) document.dispatchEvent(new Event('yardmaster:ticked'))
  if (newRows.length === 0) showToast('The new rows are on another page.')
  if (isByKey)
    (newRows[0] ?? rows[0])?.querySelector<HTMLElement>('.unit a, td a')?.focus({ preventScroll: newRows.length === 0 })
}

export function newsOfLists() {
  document.addEventListener('yardmaster:changed', (event) => countNew((event as CustomEvent<Document>).detail))
  document.addEventListener('htmx:after:swap', () => {
    if (list() !== noticeList) showNotice('')
  })
}
