import { paths } from '../src/platform/paths'
import { call } from './call'

type Count = { id: number; count: number | null }
type Counts = { views: Count[]; due: number | undefined }

const STORAGE_KEY = 'yardmaster-sidebar-counts'
const CACHE_MS = 60_000
const SOON_MS = 300

/**
 * Returns the counts for the sidebar from the cache if they are at most a minute old.
 * Without the cache, every opened page would request the counts again.
 */
function cachedCounts(): Counts | undefined {
  try {
    const { at, ...counts } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '') as Counts & { at: number }
    return Date.now() - at < CACHE_MS ? counts : undefined
  } catch {
    return undefined
  }
}

async function fetchCounts(hasViews: boolean): Promise<Counts> {
  const [due, views] = await Promise.all([
    call<{ total: number }>(paths.api.dueCounts),
    hasViews ? call<Count[]>(paths.api.viewCounts) : undefined,
  ])
  const counts = { views: views?.data ?? [], due: due.data?.total }
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ at: Date.now(), ...counts }))
  return counts
}

/** Shows counts in the sidebar, and updates them after changes by this user. */
export function sidebarCounts() {
  document.addEventListener('yardmaster:changed', recountSidebar)
  document.addEventListener('htmx:after:swap', markView)
  // If the page reports a change, the cached counts are outdated.
  if (document.querySelector('[data-toast]')) sessionStorage.removeItem(STORAGE_KEY)
  void write()
}

/** Marks the link of the current saved view. A view with additional filters is not marked. */
function markView() {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.side-view'))
    if (link.href === location.href) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
}

let waiting: ReturnType<typeof setTimeout> | undefined

/** Loads the counts again after a change. Several changes in quick succession cause only one request. */
export function recountSidebar() {
  sessionStorage.removeItem(STORAGE_KEY)
  clearTimeout(waiting)
  waiting = setTimeout(() => void write(), SOON_MS)
}

async function write() {
  const due = document.querySelector<HTMLElement>('[data-due-count]')
  if (!due) return
  const places = [...document.querySelectorAll<HTMLElement>('[data-view]')]
  const countOf = ({ views }: Counts, { dataset }: HTMLElement) => views.find(({ id }) => String(id) === dataset.view)
  const known = cachedCounts()
  const counts = known && places.every((place) => countOf(known, place)) ? known : await fetchCounts(places.length > 0)
  for (const place of places) place.textContent = countOf(counts, place)?.count?.toLocaleString('en-US') ?? ''
  due.textContent = counts.due ? counts.due.toLocaleString('en-US') : ''
}
