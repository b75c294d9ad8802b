import { showToast } from './toast'

type Submitted = { form: HTMLFormElement; button: HTMLButtonElement; label: string }

let busy: Submitted[] = []

function release() {
  for (const { form, button, label } of busy) {
    button.textContent = label
    button.disabled = false
    if (form.dataset.busyLocks !== undefined) for (const field of form.querySelectorAll<HTMLInputElement>('input')) field.disabled = false
  }
  busy = []
}

/** A double click is one wish: the second submit is dropped before anybody else hears of it. */
function dropRepeated(event: Event) {
  if (!busy.some(({ form }) => form === event.target)) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** While a form is under way its button says so and cannot be pressed again; one submit is one change. */
export function busyForms() {
  document.addEventListener('submit', dropRepeated, { capture: true })
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
    const label = form.dataset.busy
    if (!button || !label) return
    busy.push({ form, button, label: button.textContent ?? '' })
    button.textContent = label
    // A disabled field is not sent, so this waits until the browser has read the form.
    setTimeout(() => {
      button.disabled = true
      if (form.dataset.busyLocks !== undefined) for (const field of form.querySelectorAll<HTMLInputElement>('input:not([type=hidden])')) field.disabled = true
    })
  })
  document.addEventListener('htmx:finally:request', (event) => {
    // On its way to another page the form stays as it is.
    if (!(event as CustomEvent).detail.ctx?.hx?.redirect) release()
  })
  window.addEventListener('pageshow', release)
  document.addEventListener('input', (event) => {
    ;(event.target as Element).closest('form')?.querySelector('[data-clear-on-input]')?.remove()
  })
}

/** A fault leaves the form as it was typed, and says so. */
export function sayFailures() {
  document.addEventListener('yardmaster:failed', (event) => showToast((event as CustomEvent<{ text: string }>).detail.text, 'danger'))
  document.addEventListener('htmx:error', () => showToast('An error occurred. Please try again.', 'danger'))
}

/** A refused form puts the reader at what was wrong. */
export function focusErrors() {
  const focus = () => document.querySelector<HTMLElement>('[data-error-summary]')?.focus()
  focus()
  document.addEventListener('htmx:after:swap', focus)
}

/** Fields such as the state are upper case while they are typed. */
export function upperCase() {
  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement
    if (field.dataset?.upper === undefined) return
    const { selectionStart, selectionEnd } = field
    field.value = field.value.toUpperCase()
    field.setSelectionRange(selectionStart, selectionEnd)
  })
}
