import { apiPaths, withQuery } from '../src/platform/script-paths'
import { BACKGROUND, call } from './call'
import { clearDisconnected, showDisconnected } from './connection'
import { showFieldError } from './field-error'
import { countNew, newsOfLists } from './new-rows'
import { putCounts } from './page-counts'
import { recountSidebar } from './sidebar-counts'
import { notSaved, statusClass } from './status-text'

type Change = { entity: string; id: number; version: number | null }

/**
 * Delay before a change updates the rows.
 * Changes come in bursts, for example during an import, so one update handles several changes.
 */
const DELAY_MS = 400
const MIN_INTERVAL_MS = 1500
/** Delay before live updates start, so that slow PCs finish the page. */
const START_DELAY_MS = 2000
/**
 * Delay before the page connects again after a refused connection.
 * A server refuses connections, for example, while it starts.
 */
const RETRY_MS = 15_000

/**
 * Shows changes by other users in the rows of an open list. No row appears, disappears or moves until the list is
 * reloaded. A row that the user is working in stays unchanged. The header shows the number of new rows. Only a visible
 * page connects, because browsers limit the number of connections to a server.
 */
export function live() {
  let source: EventSource | undefined
  let isWaiting = false
  const stale = new Set<string>()
  /**
   * True if a record without a row on this page has changed.
   * The record may be new in the list, or may have left another page of the list.
   */
  let isElsewhere = false
  let fetchedAt = Number.NEGATIVE_INFINITY
  let isMissed = false

  const list = () => document.querySelector<HTMLElement>('#list[data-live]')
  const scheduleRefresh = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => void refresh(), Math.max(DELAY_MS, fetchedAt + MIN_INTERVAL_MS - performance.now()))
  }

  const markStale = (isStale: (row: Element) => boolean) => {
    for (const row of list()?.querySelectorAll('tr[id]') ?? []) if (isStale(row)) stale.add(row.id)
    scheduleRefresh()
  }

  const refresh = async () => {
    isWaiting = false
    const rows = [...stale].flatMap((id) => document.getElementById(id) ?? []).filter((row) => !isInUse(row))
    if (rows.length === 0 && !isElsewhere) return
    const currentList = list()
    fetchedAt = performance.now()
    isElsewhere = false
    const page = await fetchPage(location.href)
    // Ignore the response if the user has opened another list in the meantime.
    if (!page || currentList !== list()) return
    for (const row of rows) {
      stale.delete(row.id)
      if (!isInUse(row)) await show(row, page.getElementById(row.id), currentList?.dataset.live)
    }
    countNew(page)
    recountSidebar()
    // If the links to further pages cannot be loaded, they stay as they are until the next change.
    await putCounts(page).catch(() => {})
  }

  const onChange = ({ data }: MessageEvent<string>) => {
    const { entity, id, version } = JSON.parse(data) as Change
    if (entity !== list()?.dataset.live) return
    const row = document.getElementById(`row-${id}`)
    // Ignore a change that the page already shows, for example because this user made it.
    if (row && version !== null && Number(row.dataset.version) >= version) return
    if (row) stale.add(row.id)
    else isElsewhere = true
    scheduleRefresh()
  }

  const listen = () => {
    if (source || !list() || document.hidden) return
    // The event stream can start with past changes. Request the changes since the page was loaded, but at most those of
    // the last 60 seconds.
    const ago = Math.min(60, Math.ceil(performance.now() / 1000) + 1)
    source = new EventSource(withQuery(apiPaths.events, { ago }))
    source.addEventListener('change', onChange as (event: Event) => void)
    source.addEventListener('error', () => {
      // The browser reconnects after an interruption, but not after the server has refused a connection.
      const isRefused = source?.readyState === EventSource.CLOSED
      showDisconnected(isRefused ? 'Not up to date' : 'No connection')
      if (!isRefused) return
      source = undefined
      // If the session has ended, `call` opens the sign-in page, so that no data stays on the screen.
      void call('/api/auth/verify', { headers: BACKGROUND })
      setTimeout(listen, RETRY_MS)
    })
    source.addEventListener('open', () => {
      clearDisconnected()
      // After an interruption, update all rows, because any of them may be outdated.
      isElsewhere ||= isMissed
      if (isMissed) markStale(() => true)
      isMissed = true
    })
  }
  const rest = () => {
    source?.close()
    source = undefined
    clearDisconnected()
  }
  document.addEventListener('visibilitychange', () => (document.hidden ? rest() : listen()))
  window.addEventListener('pagehide', rest)
  window.addEventListener('offline', () => source && showDisconnected('No connection'))
  window.addEventListener('online', () => {
    if (source?.readyState === EventSource.OPEN) clearDisconnected()
    // The event stream can survive a short interruption, but the response to this user's change may have been lost.
    // Update the rows that say `Unknown whether saved`.
    markStale(isUnknown)
  })
  window.addEventListener('pageshow', ({ persisted }) => persisted && listen())
  setTimeout(listen, START_DELAY_MS)
  newsOfLists()
  document.addEventListener('focusout', () => stale.size > 0 && scheduleRefresh())
}

/** True if the row says `Unknown whether saved`. */
const isUnknown = (row: Element) =>
  row.querySelector('[data-unsaved]')?.textContent.startsWith(notSaved('', true)) ?? false

/**
 * True if a live update must not replace the row.
 * The row has the focus, or a change is still being saved. A focused row that says `Unknown whether saved` can be
 * replaced.
 */
const isInUse = (row: Element) =>
  (row.contains(document.activeElement) && !isUnknown(row)) || row.querySelector('[aria-busy=true]') !== null

/** Loads a list again. Returns null if this fails, because the next change causes another attempt. */
async function fetchPage(address: string): Promise<Document | null> {
  try {
    const response = await fetch(address, { headers: { 'hx-request': 'true', ...BACKGROUND } })
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null
  } catch {
    return null
  }
}

const API: Record<string, (id: number) => string> = {
  transports: apiPaths.transport,
  osl_entries: apiPaths.osl,
}

async function markRemoved(row: HTMLElement, entity: string | undefined) {
  const at = API[entity ?? '']?.(Number(row.id.replace('row-', '')))
  const { data, status } = at
    ? await call<{ status: string; updated_by: string | null }>(at, { headers: BACKGROUND })
    : { data: null, status: 0 }
  const text = data ? `${data.status} by ${data.updated_by}` : status === 404 ? 'Deleted' : 'Changed by another user'
  row.title = `${text}. No longer in this list`
  const due = row.querySelector('.due')
  if (due) {
    due.className = 'due'
    due.textContent = data?.status ?? text
  }
  const select = row.querySelector<HTMLSelectElement>('select')
  if (!select || !data) return
  select.value = data.status
  if (select.form) select.form.className = statusClass(data.status)
}

/** Says in the current version of a row that the change, whose outcome was unknown, was not saved. */
function keepUnsaved(row: HTMLElement, newRow: HTMLElement) {
  const note = row.querySelector('[data-unsaved]')
  const form = newRow.querySelector(`form[action="${note?.closest('form')?.getAttribute('action')}"]`)
  showFieldError(form, 'unsaved', note?.textContent.replace(notSaved('', true), notSaved()) ?? '')
}

/** Replaces a row with its current version. If the record has left the list, the row stays but is grayed out. */
async function show(row: HTMLElement, newRow: HTMLElement | null, entity: string | undefined) {
  if (!newRow) {
    row.classList.remove('is-late-row', 'is-changed')
    row.classList.add('is-gone')
    await markRemoved(row, entity)
    for (const field of row.querySelectorAll<HTMLInputElement | HTMLSelectElement>('.pick input, select'))
      field.disabled = true
    return
  }
  const isUnchanged = newRow.dataset.version === row.dataset.version
  if (isUnchanged && !isUnknown(row)) return
  const ticked = row.querySelector<HTMLInputElement>('input[name=ids]')?.checked
  // Without a version, it is unknown whether the record has changed.
  if (isUnchanged && row.dataset.version) keepUnsaved(row, newRow)
  else newRow.classList.add('is-changed')
  row.replaceWith(newRow)
  const tick = newRow.querySelector<HTMLInputElement>('input[name=ids]')
  if (tick && ticked) tick.checked = true
  window.htmx.process(newRow)
}
