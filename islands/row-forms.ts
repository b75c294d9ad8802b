import { goToLogin } from './call'
import { refreshCounts } from './head'
import { showToast } from './toast'

type Said = { text: string; tone?: 'success' | 'danger'; undo?: string }

/** A second click within this time belongs to the first. */
const DOUBLE_CLICK_MS = 600

const AWAY = 'The server cannot be reached. Nothing was changed; please try again.'

/**
 * Forms that change one row of a list in place. The changed row stays until the list is reloaded, so that nothing moves
 * under the pointer. Without scripts the form posts and returns to the list.
 */
export function rowForms() {
  let latest = { action: '', at: Number.NEGATIVE_INFINITY }
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (form.dataset?.rowForm === undefined) return
    event.preventDefault()
    const isSecondClick = form.action === latest.action && event.timeStamp - latest.at < DOUBLE_CLICK_MS
    if (form.ariaBusy === 'true' || isSecondClick) return
    latest = { action: form.action, at: event.timeStamp }
    form.ariaBusy = 'true'
    void send(form).finally(() => {
      form.ariaBusy = null
    })
  })
}

async function send(form: HTMLFormElement) {
  const focused = document.activeElement?.id ?? ''
  let response: Response
  try {
    response = await fetch(form.action, {
      method: 'POST',
      headers: { 'hx-request': 'true', 'hx-current-url': location.href, 'x-row': '1' },
      body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
    })
  } catch {
    return showToast(AWAY, { tone: 'danger' })
  }
  if (response.status === 401) return goToLogin({ isChange: true })
  const moved = response.headers.get('hx-redirect')
  if (moved) return location.assign(moved)
  const said = response.headers.get('x-said')
  if (!response.ok || !said) return showToast(await wordsOf(response), { tone: 'danger' })
  const { text, tone, undo } = JSON.parse(decodeURIComponent(said)) as Said
  swapRow(await response.text())
  // The focused control was replaced with its row.
  if (focused) document.getElementById(focused)?.focus()
  showToast(text, tone === 'danger' ? { tone } : { undo })
  refreshCounts()
}

function swapRow(html: string) {
  const fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('tr')
  const row = fresh && document.getElementById(fresh.id)
  if (!fresh || !row) return
  // Marks the user's own change, which may have removed the row from the list (`news.ts`).
  fresh.dataset.own = ''
  row.replaceWith(fresh)
  window.htmx.process(fresh)
}

/** Returns the message of a failed response. Without our own header, a proxy could not reach the server. */
export async function wordsOf(response: Response): Promise<string> {
  const trigger = response.headers.get('hx-trigger')
  const ours = trigger && (JSON.parse(trigger)['yardmaster:failed'] as { text: string; reason?: string } | undefined)
  if (ours) return [ours.text, ours.reason].filter(Boolean).join('. ')
  return `The server cannot be reached (${response.status}). Nothing was changed; please try again.`
}
