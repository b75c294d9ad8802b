import { apiPaths } from '../src/platform/script-paths'
import { call } from './call'

type Count = { id: number; count: number | null }
type Counts = { views: Count[]; due?: number | undefined }
/** `at` is the time of loading in milliseconds, or 0 if outdated. */
type StoredCounts = Counts & { at: number }

const STORAGE_KEY = 'yardmaster-sidebar-counts'
const CACHE_MS = 60_000
const SOON_MS = 300

/** The page of an import that has ended. A running import updates its page every second. */
const ENDED_IMPORT = '#import:not([hx-trigger])'
/** Pages that report a change, belong to an import, or show how many items are due. */
const OUTDATING = '[data-toast], #import, .due-panel, [aria-current=page] [data-due-count]'

/** Returns the latest counts, which can be outdated. Without this cache, every page would request the counts. */
const storedCounts = (): StoredCounts => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{"views":[],"at":0}')

const store = (counts: StoredCounts) => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(counts))

/** Marks the stored counts as outdated. They stay on the page until the new counts arrive. */
const outdateCounts = () => store({ ...storedCounts(), at: 0 })

async function fetchCounts(hasViews: boolean): Promise<Counts> {
  const [due, views] = await Promise.all([
    call<{ total: number }>(apiPaths.dueCounts),
    hasViews ? call<Count[]>(apiPaths.viewCounts) : undefined,
  ])
  // A request that was cut off by the next page does not mean that nothing is due.
  if (!due.ok || views?.ok === false) return storedCounts()
  // Show no number if nothing is due.
  const counts = { views: views?.data ?? [], due: due.data?.total || undefined, at: Date.now() }
  store(counts)
  return counts
}

export function sidebarCounts() {
  document.addEventListener('yardmaster:changed', recountSidebar)
  document.addEventListener('htmx:after:swap', () => {
    markView()
    if (document.querySelector(ENDED_IMPORT)) recountSidebar()
  })
  if (document.querySelector(OUTDATING)) outdateCounts()
  void write()
}

/** A view with additional filters is not marked. */
function markView() {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.side-view'))
    if (link.href === location.href) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
}

let waiting: ReturnType<typeof setTimeout> | undefined

export function recountSidebar() {
  outdateCounts()
  clearTimeout(waiting)
  waiting = setTimeout(() => void write(), SOON_MS)
}

async function write() {
  const due = document.querySelector<HTMLElement>('[data-due-count]')
  if (!due) return
  const places = [...document.querySelectorAll<HTMLElement>('[data-view]')]
  const countOf = ({ views }: Counts, { dataset }: HTMLElement) => views.find(({ id }) => String(id) === dataset.view)
  const show = (counts: Counts) => {
    for (const place of places) place.textContent = countOf(counts, place)?.count?.toLocaleString('en-US') ?? ''
    due.textContent = counts.due?.toLocaleString('en-US') ?? ''
  }
  const stored = storedCounts()
  show(stored)
  const isCurrent = Date.now() - stored.at < CACHE_MS && places.every((place) => countOf(stored, place))
  if (!isCurrent) show(await fetchCounts(places.length > 0))
}
