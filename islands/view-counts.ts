import { paths } from '../src/paths'
import { call } from './call'

type Count = { id: number; count: number | null }

const KEPT_AS = 'yardmaster-view-counts'
const KEPT_MS = 60_000

/** What was counted within the last minute; whoever pages through a list does not count all views anew each time. */
function kept(): Count[] | undefined {
  try {
    const { at, counts } = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '') as { at: number; counts: Count[] }
    return Date.now() - at < KEPT_MS ? counts : undefined
  } catch {
    return undefined
  }
}

/** Writes beside each view of the sidebar how many rows it shows, and anew after a change of one's own. */
export function viewCounts() {
  document.addEventListener('yardmaster:changed', () => {
    sessionStorage.removeItem(KEPT_AS)
    void write()
  })
  // What was changed with a page of its own comes with a message.
  if (document.querySelector('[data-toast]')) sessionStorage.removeItem(KEPT_AS)
  void write()
}

async function write() {
  const places = document.querySelectorAll<HTMLElement>('[data-view]')
  if (places.length === 0) return
  const known = kept()
  const isKnown = [...places].every(({ dataset }) => known?.some(({ id }) => String(id) === dataset.view))
  let counts = isKnown ? known : undefined
  if (!counts) {
    counts = (await call<Count[]>(paths.api.viewCounts)).data ?? []
    sessionStorage.setItem(KEPT_AS, JSON.stringify({ at: Date.now(), counts }))
  }
  for (const place of places)
    place.textContent = counts.find(({ id }) => String(id) === place.dataset.view)?.count?.toLocaleString('en-US') ?? ''
}
