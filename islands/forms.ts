import { make } from './make'
import { failedAction } from './row-forms'
import { OUTCOME_UNKNOWN } from './status-text'
import { forgetToast, showToast } from './toast'

type SubmitControl = HTMLButtonElement | HTMLInputElement

type Submitted = {
  form: HTMLFormElement
  button: SubmitControl
  label: string
  locking: ReturnType<typeof setTimeout>
}

let busy: Submitted[] = []

const SUBMIT = 'button[type=submit], input[type=submit]'
const labelIn = (button: SubmitControl) => (button instanceof HTMLInputElement ? 'value' : 'textContent')

function setDisabled(form: HTMLFormElement, isDisabled: boolean) {
  const fields = form.dataset.busyLocks === undefined ? SUBMIT : `${SUBMIT}, input:not([type=hidden])`
  for (const field of form.querySelectorAll<SubmitControl>(fields)) field.disabled = isDisabled
}

function release() {
  for (const { form, button, label, locking } of busy) {
    // If the request fails early, the timer has not run yet, and would disable the buttons later.
    clearTimeout(locking)
    button[labelIn(button)] = label
    button.style.minWidth = ''
    setDisabled(form, false)
  }
  busy = []
}

/** Ignores another submit of a form that is being sent. Runs before other listeners. */
function dropRepeated(event: Event) {
  if (!busy.some(({ form }) => form === event.target)) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Ignores the second click of a double click on a button.
 * The response to the first click may have replaced the form. The second click would then confirm warnings that the
 * user has not read, or press Cancel.
 */
function dropSecondClick(event: MouseEvent) {
  // `detail` counts the clicks of a double click, even if the second click hits another element.
  if (event.detail < 2 || !(event.target as Element).closest('.form-buttons, .error-summary')) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/**
 * Forms to send although the browser reports no network.
 * The server has responded to a check, for example because it runs on the same PC.
 */
const reachable = new WeakSet<HTMLFormElement>()

/**
 * Checks the server before sending a form if the browser is offline.
 * If the server cannot be reached, the form is not sent, because the browser would show an error page and lose the
 * input. Forms that htmx sends are not checked.
 */
async function stopOffline(event: SubmitEvent) {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented || navigator.onLine || form.method !== 'post' || form.hasAttribute('hx-post')) return
  if (reachable.delete(form)) return
  event.preventDefault()
  const { submitter } = event
  const answer = await fetch('/healthz').catch(() => null)
  release()
  if (!answer) return showFailure(form, `${failedAction(form)}: the server cannot be reached. Nothing was changed.`)
  reachable.add(form)
  form.requestSubmit(submitter)
}

export function busyForms() {
  document.addEventListener('submit', dropRepeated, { capture: true })
  document.addEventListener('click', dropSecondClick, { capture: true })
  window.addEventListener('submit', (event) => void stopOffline(event))
  // Ignore repeated key presses while Enter is held down. They would also submit the form that replaces the current
  // form.
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.repeat && event.target instanceof HTMLInputElement) event.preventDefault()
  })
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = ((event as SubmitEvent).submitter ?? form.querySelector(SUBMIT)) as SubmitControl | null
    const busyLabel = form.dataset.busy
    if (!button || !busyLabel) return
    const label = button[labelIn(button)] ?? ''
    // Keep the width of the button when its label becomes shorter. Otherwise, the second click of a double click could
    // hit the button beside it.
    button.style.minWidth = `${button.offsetWidth}px`
    // Wait until the browser has read the form. The browser does not send disabled fields, and would send the new label
    // as the value of an `input` button.
    const locking = setTimeout(() => {
      button[labelIn(button)] = busyLabel
      setDisabled(form, true)
    })
    busy.push({ form, button, label, locking })
  })
  document.addEventListener('htmx:finally:request', (event) => {
    // If the response redirects to another page, keep the form locked until that page opens.
    if (!(event as CustomEvent).detail.ctx?.hx?.redirect) release()
  })
  window.addEventListener('pageshow', release)
  document.addEventListener('input', (event) => {
    ;(event.target as Element).closest('form')?.querySelector('[data-clear-on-input]')?.remove()
  })
}

const INPUT_KEPT_TEXT = 'Your input is still in the form.'

function showFailure(source: unknown, words: string) {
  const form = source instanceof Element ? source.closest<HTMLFormElement>('form.form') : null
  if (!form) return showToast(words, { tone: 'danger' })
  form.querySelector('[data-failure]')?.remove()
  const summary = make(
    'div',
    { className: 'error-summary', role: 'alert', tabIndex: -1 },
    make('h2', {}, words),
    make('p', {}, INPUT_KEPT_TEXT),
  )
  summary.dataset.failure = ''
  form.prepend(summary)
  summary.focus()
}

/**
 * Returns the message for an unreachable server.
 * For a sent form, the message says that the result is unknown, because the form may have been saved.
 */
function unreachableText(source: unknown, status = ''): string {
  const form = source instanceof Element ? source.closest('form[method=post]') : null
  return form
    ? `${failedAction(form)}: the server cannot be reached${status}. ${OUTCOME_UNKNOWN}`
    : `The server cannot be reached${status}. Please try again in a moment.`
}

/**
 * True if a failed request only loaded additional data.
 * For example, it loaded details of a unit while the user typed. Callers show no message. Also removes the displayed
 * details, because they describe an earlier value of the field.
 */
function isBackgroundRequest(source: unknown): boolean {
  if (!(source instanceof HTMLElement) || !source.matches('input[hx-get], div[hx-get]')) return false
  const target = source.getAttribute('hx-target')
  if (target?.startsWith('#')) document.querySelector(target)?.replaceChildren()
  return true
}

export function reportFailures() {
  document.addEventListener('yardmaster:failed', (event) => {
    const { text, reason } = (event as CustomEvent<{ text: string; reason?: string }>).detail
    showFailure(event.target, [text, reason].filter(Boolean).join('. '))
  })
  document.addEventListener('htmx:before:response', (event) => {
    const { ctx } = (event as CustomEvent).detail
    const { status, headers } = ctx?.response ?? {}
    // Our server adds the header `hx-trigger` to errors. A response without this header comes from a proxy that could
    // not reach the server.
    if (status >= 500 && !isBackgroundRequest(ctx.sourceElement) && !headers?.get('hx-trigger'))
      showFailure(ctx.sourceElement, unreachableText(ctx.sourceElement, ` (${status})`))
  })
  document.addEventListener('htmx:error', (event) => {
    const { ctx } = (event as CustomEvent).detail
    if (isBackgroundRequest(ctx?.sourceElement)) return
    showFailure(ctx?.sourceElement, unreachableText(ctx?.sourceElement))
  })
  document.addEventListener('submit', ({ target }) => {
    ;(target as Element).querySelector('[data-failure]')?.remove()
    forgetToast()
  })
}

/** Submits searches and filters that the user changed before the scripts loaded. */
export function submitEarlySearches() {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[role=search]')) {
    const isTyped = [...form.elements].some(
      (field) =>
        (field instanceof HTMLInputElement && field.type === 'search' && field.value !== field.defaultValue) ||
        (field instanceof HTMLSelectElement &&
          [...field.options].some((option) => option.selected !== option.defaultSelected)),
    )
    if (isTyped) form.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

/**
 * Focuses the list of errors in a rejected form, once. If the form has a scan field, focuses this field instead.
 */
export function focusErrors() {
  let focused: Element | null = null
  const focus = () => {
    const summary = document.querySelector<HTMLElement>('[data-error-summary]')
    if (summary === focused) return
    focused = summary
    const field = summary?.closest('form')?.querySelector<HTMLInputElement>('input[data-scan]')
    if (!field) return summary?.focus()
    field.focus()
    field.select()
  }
  focus()
  document.addEventListener('htmx:after:swap', focus)
}
