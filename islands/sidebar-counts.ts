import { paths } from '../src/platform/paths'
import { call } from './call'

type Count = { id: number; count: number | null }
/** How many rows each view shows, and how much is due. */
type Counts = { views: Count[]; due: number | undefined }

const KEPT_AS = 'yardmaster-sidebar-counts'
const KEPT_MS = 60_000
const SOON_MS = 300

/** What was counted within the last minute; whoever pages through a list does not count everything anew each time. */
function kept(): Counts | undefined {
  try {
    const { at, ...counts } = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '') as Counts & { at: number }
    return Date.now() - at < KEPT_MS ? counts : undefined
  } catch {
    return undefined
  }
}

async function counted(hasViews: boolean): Promise<Counts> {
  const [due, views] = await Promise.all([
    call<{ total: number }>(paths.api.dueCounts),
    hasViews ? call<Count[]>(paths.api.viewCounts) : undefined,
  ])
  const counts = { views: views?.data ?? [], due: due.data?.total }
  sessionStorage.setItem(KEPT_AS, JSON.stringify({ at: Date.now(), ...counts }))
  return counts
}

/** Writes into the sidebar how much is due and how many rows each view shows, and anew after a change of one's own. */
export function sidebarCounts() {
  document.addEventListener('yardmaster:changed', recountSidebar)
  document.addEventListener('htmx:after:swap', markView)
  // What was changed with a page of its own comes with a message.
  if (document.querySelector('[data-toast]')) sessionStorage.removeItem(KEPT_AS)
  void write()
}

/** A list that was narrowed further is no longer the view that it was opened by. */
function markView() {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a.side-view'))
    if (link.href === location.href) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
}

let waiting: ReturnType<typeof setTimeout> | undefined

/** Counts anew after a change, once for several that come quickly. */
export function recountSidebar() {
  sessionStorage.removeItem(KEPT_AS)
  clearTimeout(waiting)
  waiting = setTimeout(() => void write(), SOON_MS)
}

async function write() {
  const due = document.querySelector<HTMLElement>('[data-due-count]')
  if (!due) return
  const places = [...document.querySelectorAll<HTMLElement>('[data-view]')]
  const countOf = ({ views }: Counts, { dataset }: HTMLElement) => views.find(({ id }) => String(id) === dataset.view)
  const known = kept()
  const counts = known && places.every((place) => countOf(known, place)) ? known : await counted(places.length > 0)
  for (const place of places) place.textContent = countOf(counts, place)?.count?.toLocaleString('en-US') ?? ''
  due.textContent = counts.due ? counts.due.toLocaleString('en-US') : ''
}
