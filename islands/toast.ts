const SHOWN_FOR_MS = 5000

/** Takes a message away after five seconds, unless someone is reading it with the pointer or the keyboard. */
function expire(toast: Element) {
  setTimeout(() => {
    if (toast.matches(':hover, :focus-within')) expire(toast)
    else toast.remove()
  }, SHOWN_FOR_MS)
}

/** What a page says goes after a while; a page that somebody comes back to has said it already. */
export function sayOnce() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  for (const toast of document.querySelectorAll('[data-toast]'))
    if (visit?.type === 'back_forward') toast.remove()
    else {
      undoing = toast.querySelector('form')
      expire(toast)
    }
}

/** Takes the latest change back for as long as nothing else was done, also when its message has gone. */
let undoing: HTMLFormElement | null = null

/** @returns whether there was anything to take back */
export function undoLatest(): boolean {
  const form = undoing
  undoing = null
  if (!form) return false
  if (!form.isConnected) {
    form.hidden = true
    document.body.append(form)
  }
  form.requestSubmit()
  return true
}

/** What was done is said no longer once something else is sent; its Undo stays as long as it is offered. */
export function forgetSaid() {
  for (const toast of document.querySelectorAll('.toast-success')) if (!toast.querySelector('form')) toast.remove()
}

type More = {
  tone?: 'success' | 'danger'
  /** Takes the change back, by a call or by posting a form to this address. */
  undo?: (() => void) | string | undefined
  /** What its button says. */
  label?: string
}

// What lies over the page lies over its messages too, so an open dialog has a place of its own for them.
const place = () => document.querySelector('dialog[open] [data-toasts]') ?? document.getElementById('toasts')

/**
 * Says something at the top, to eyes and screen readers, in the place of the success before; a failure leaves its
 * Undo.
 */
export function showToast(text: string, { tone = 'success', undo, label = 'Undo' }: More = {}) {
  const toasts = place()
  for (const before of toasts?.querySelectorAll('.toast-success') ?? [])
    if (tone === 'success' || !before.querySelector('form')) before.remove()
  const toast = document.createElement('div')
  toast.className = `toast toast-${tone}`
  toast.textContent = text
  const form = undo ? undoForm(toast, undo, label) : null
  if (form) toast.append(form)
  if (tone === 'success') undoing = form
  toasts?.append(toast)
  expire(toast)
}

function undoForm(toast: Element, undo: (() => void) | string, label: string): HTMLFormElement {
  const from = document.activeElement
  const form = document.createElement('form')
  form.method = 'post'
  const button = document.createElement('button')
  button.textContent = label
  form.append(button)
  if (typeof undo === 'string') {
    form.action = undo
    form.dataset.rowForm = ''
  }
  form.addEventListener('submit', (event) => {
    if (typeof undo === 'function') {
      event.preventDefault()
      undo()
    }
    undoing = null
    setTimeout(() => {
      toast.remove()
      form.remove()
      // It went away with its button; the keys go on where they were.
      if (document.activeElement === document.body && from instanceof HTMLElement) from.focus()
    })
  })
  return form
}
