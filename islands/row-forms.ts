import { fetchChange, goToLogin } from './call'
import { showFieldError } from './field-error'
import { refreshCounts } from './refresh-counts'
import { notSaved, OUTCOME_UNKNOWN } from './status-text'
import { showToast } from './toast'

type ToastData = { text: string; tone?: 'success' | 'danger'; undo?: string }

const DOUBLE_CLICK_MS = 600

const LOOK_UP_DELAYS_MS = [0, 1000]

/**
 * Sends forms that change one table row without reloading the list.
 * The row stays until the list is reloaded, so that nothing moves under the pointer. Without scripts, the browser sends
 * the form and returns to the list.
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
  let response: Response
  try {
    response = await fetchChange(form.action, {
      method: 'POST',
      headers: { 'hx-request': 'true', 'hx-current-url': location.href, 'x-row': '1' },
      // The types do not allow form data here, because it can contain files. These forms have none.
      body: new URLSearchParams(new FormData(form) as never),
    })
  } catch {
    return reportUnanswered(form)
  }
  if (response.status === 401) return goToLogin({ isChange: true })
  const redirectUrl = response.headers.get('hx-redirect')
  if (redirectUrl) return location.assign(redirectUrl)
  const toastHeader = response.headers.get('x-toast')
  if (!response.ok || !toastHeader) return markUnsaved(form, await failureText(response, form))
  const { text, tone, undo } = JSON.parse(decodeURIComponent(toastHeader)) as ToastData
  const html = await response.text()
  const focused = document.activeElement?.id ?? ''
  const row = form.closest('tr')
  // Gray out a row whose record is no longer in the list. After an undo, the row looks as before.
  if (!swapRow(html)) leftRows.set(undo, row ?? leftRows.get(form.getAttribute('action')))
  const leftRow = leftRows.get(undo)
  leftRow?.classList.toggle('is-gone', row !== null)
  // The buttons of such a row are hidden and lose the focus.
  leftRow?.querySelector('a')?.focus()
  // Put the focus back, because the focused button was replaced together with its row.
  if (focused) document.getElementById(focused)?.focus()
  showToast(text, { tone, undo })
  refreshCounts()
}

const storedRow = (html: string, id: string) =>
  new DOMParser().parseFromString(html, 'text/html').getElementById(id) as HTMLTableRowElement | null
const versionIn = (row: Element | null) => row?.querySelector<HTMLInputElement>('input[name=version]')?.value

/** Handles a lost response. Loads the list again and reports whether the change was saved. */
async function reportUnanswered(form: HTMLFormElement) {
  const failed = failedAction(form)
  const row = form.closest('tr')
  // Without a version, the stored row cannot be recognized.
  for (const delay of versionIn(row) ? LOOK_UP_DELAYS_MS : []) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    const response = await fetch(location.href).catch(() => null)
    if (!response?.ok) continue
    const stored = storedRow(await response.text(), row?.id ?? '')
    // If the record is no longer in the list, the change was saved. Live updates gray out its row (`live.ts`).
    if (!stored) return showToast('The change was saved. The row is no longer in this list')
    if (versionIn(stored) === versionIn(row))
      return markUnsaved(form, `${failed}: the server cannot be reached. Nothing was changed.`)
    swapRow(stored.outerHTML)
    refreshCounts()
    return showToast('The change was saved')
  }
  markUnsaved(form, `${failed}: the server cannot be reached. ${OUTCOME_UNKNOWN}`, true)
}

/**
 * Shows why a change failed. In addition, the text `Not saved` stays in the cell until the row is changed or loaded
 * again.
 */
function markUnsaved(form: HTMLFormElement, text: string, isUnknown = false) {
  showFieldError(form, 'unsaved', notSaved('', isUnknown))
  showToast(text, { tone: 'danger' })
}

/** Failure message of a form, such as `Failed to update location`. */
export const failedAction = (form: Element | null) =>
  form?.closest<HTMLElement>('[data-failed]')?.dataset.failed ?? 'An error occurred'

/** Rows of records that have left the list, by the URL that undoes the change. */
const leftRows = new Map<string | null | undefined, Element | undefined>()

/** @returns false if the response contains no row of this page */
function swapRow(html: string): boolean {
  // Put the row into a table, because the parser ignores a table row outside a table.
  const newRow = new DOMParser().parseFromString(`<table>${html}</table>`, 'text/html').querySelector('tr')
  const row = newRow && document.getElementById(newRow.id)
  if (!newRow || !row) return false
  // Mark the row as changed by this user. Its record may no longer match the filters of the list, and `new-rows.ts`
  // must not count it as missing.
  newRow.dataset.own = ''
  row.replaceWith(newRow)
  document.dispatchEvent(new Event('yardmaster:ticked'))
  window.htmx.process(newRow)
  return true
}

/**
 * Returns the message of a failed response.
 * Our server adds the header `hx-trigger` to errors. A response without this header comes from a proxy that could not
 * reach the server.
 */
export async function failureText(response: Response, form: Element | null): Promise<string> {
  const trigger = response.headers.get('hx-trigger')
  const failure = trigger && (JSON.parse(trigger)['yardmaster:failed'] as { text: string; reason?: string } | undefined)
  if (failure) return [failure.text, failure.reason].filter(Boolean).join('. ')
  return `${failedAction(form)}: the server cannot be reached (${response.status}). ${OUTCOME_UNKNOWN}`
}
