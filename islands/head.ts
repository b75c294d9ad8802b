const QUIET_MS = 300

let waiting: ReturnType<typeof setTimeout> | undefined

/** What tells how many there are: a list's head, tabs and pager, and the latest uploads. */
const COUNTS = ['lead', 'tabs', 'range-top', 'range', 'selection-total', 'upload-history']

/** Puts the counts of a page that was asked for anew in the place of those that are shown. */
export function putCounts(page: Document) {
  for (const id of COUNTS) {
    const fresh = page.getElementById(id)
    if (fresh) document.getElementById(id)?.replaceChildren(...fresh.childNodes)
  }
}

/** After a change that leaves its row where it stands, the counts of the page follow. */
export function refreshCounts() {
  clearTimeout(waiting)
  waiting = setTimeout(async () => {
    try {
      const response = await fetch(location.href, { headers: { 'hx-request': 'true' } })
      if (!response.ok) return
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      document.dispatchEvent(new CustomEvent('yardmaster:changed', { detail: page }))
      putCounts(page)
    } catch {
      // The counts stay as they were; the next page has them.
    }
  }, QUIET_MS)
}
