import { call } from './call'
import { recountSidebar } from './sidebar-counts'

type Scan = { unit: string; as: string; on: string }
type Scanned = { id: number; unit_number: string; text: string }

/** Storage key of unsent scans. They are sent when the same user signs in and opens the page again in this window. */
const storageKey = () =>
  `yardmaster-scans:${document.querySelector<HTMLElement>('[data-account]')?.dataset.account ?? ''}:${location.search}`

/**
 * Sends scanned unit numbers one by one and lists the results.
 * The user can continue to scan. A rejected scan stays visible until the user sends it again or leaves the page.
 */
export function scanQueue() {
  const field = document.querySelector<HTMLInputElement>('input[data-scan]')
  const log = document.querySelector<HTMLElement>('[data-scan-log]')
  const form = field?.form
  if (!field || !log || !form) return
  const waiting: { scan: Scan; line: HTMLElement }[] = []
  let isBusy = false
  /**
   * True while the browser goes to the sign-in page. The user then gets no warning about unsent scans, because they are
   * stored.
   */
  let isAway = false

  // Store the unsent scans before each call, because the call leaves this page if the session has ended.
  const store = () => {
    if (waiting.length === 0) sessionStorage.removeItem(storageKey())
    else sessionStorage.setItem(storageKey(), JSON.stringify(waiting.map(({ scan }) => scan)))
  }
  const take = (scan: Scan, line: HTMLElement = document.createElement('li')) => {
    showResult(line, scan.unit, 'waiting')
    if (!line.isConnected) log.prepend(line)
    waiting.push({ scan, line })
    store()
    void work()
  }
  const work = async () => {
    if (isBusy) return
    isBusy = true
    for (let next = waiting[0]; next; next = waiting[0]) {
      const { scan, line } = next
      const { ok, data, status, message } = await call<Scanned>('/api/scan', {
        method: 'POST',
        body: scan,
        onSignedOut: () => {
          isAway = true
        },
      })
      // The scan stays in the queue. If the user stays on this page, the next scan sends it again.
      if (status === 401) break
      isAway = false
      waiting.shift()
      store()
      if (ok && data) done(line, data)
      else {
        // Without a response, or after a server error (5xx), it is unknown whether the scan was saved. In this case,
        // warn a user who leaves the page.
        const isHeard = Boolean(message) && status < 500
        const reason = message || 'The server did not answer. Check the unit before you send it again'
        showResult(
          line,
          scan.unit,
          reason,
          button('Send again', () => {
            field.focus()
            take(scan, line)
          }),
        )
        line.className = isHeard ? 'is-refused' : 'is-refused is-unheard'
      }
    }
    isBusy = false
  }
  const done = (line: HTMLElement, { id, unit_number, text }: Scanned) => {
    line.className = ''
    recountSidebar()
    const undo = async () => {
      const { ok, message } = await call(`/api/bulk/${id}/undo`, { method: 'POST' })
      recountSidebar()
      showResult(line, unit_number, ok ? 'undone' : message || 'The server did not answer')
    }
    showResult(
      line,
      unit_number,
      `${log.dataset.scanLog}: ${text}`,
      button('Undo', () => {
        field.focus()
        void undo()
      }),
    )
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    const unit = field.value.trim()
    field.value = ''
    field.defaultValue = ''
    field.focus()
    const on = form.querySelector<HTMLInputElement>('input[name=on]')?.value ?? ''
    const as = form.querySelector<HTMLInputElement>('input[name=as]')?.value ?? ''
    if (unit) take({ unit, as, on })
  })
  window.addEventListener('beforeunload', (event) => {
    if (!isAway && (isBusy || log.querySelector('.is-unheard'))) event.preventDefault()
  })
  for (const scan of JSON.parse(sessionStorage.getItem(storageKey()) ?? '[]') as Scan[]) take(scan)
}

function showResult(line: HTMLElement, unit: string, words: string, ...more: HTMLElement[]) {
  const name = document.createElement('strong')
  name.textContent = unit
  line.replaceChildren(name, ` ${words} `, ...more)
}

function button(label: string, press: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'link'
  element.textContent = label
  element.addEventListener('click', press)
  return element
}
