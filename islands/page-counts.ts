const QUIET_MS = 300

let waiting: ReturnType<typeof setTimeout> | undefined

const COUNTS = ['lead', 'tabs', 'range-top', 'range', 'selection-total', 'upload-history']

export function putCounts(page: Document) {
  for (const id of COUNTS) {
    const newElement = page.getElementById(id)
    if (newElement) document.getElementById(id)?.replaceChildren(...newElement.childNodes)
  }
}

/** Updates the counts after a change that does not reload the list. */
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
      // The shown counts stay as they are until the next page opens.
    }
  }, QUIET_MS)
}
