const SHOWN_FOR_MS = 5000

function expire(toast: Element) {
  setTimeout(() => {
    if (toast.matches(':hover, :focus-within')) expire(toast)
    else toast.remove()
  }, SHOWN_FOR_MS)
}

/**
 * Makes the messages on the page disappear after a while. After Back, removes them at once, because the user has seen
 * them.
 */
export function showPendingToast() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  for (const toast of document.querySelectorAll('[data-toast]'))
    if (visit?.type === 'back_forward') toast.remove()
    else {
      undoing = toast.querySelector('form')
      expire(toast)
    }
}

/** Form that undoes the latest change. Ctrl+Z can use it even after its message has disappeared. */
let undoing: HTMLFormElement | null = null

/**
 * Undoes the latest change.
 * @returns false if there was nothing to undo
 */
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

/** Removes success messages when a form is sent. Messages with an Undo button stay until they expire. */
export function forgetToast() {
  for (const toast of document.querySelectorAll('.toast-success')) if (!toast.querySelector('form')) toast.remove()
}

type ToastOptions = {
  tone?: 'success' | 'danger'
  /** How to undo the change: a function to call, or a URL to which a form is sent. */
  undo?: (() => void) | string | undefined
  label?: string
}

// An open dialog covers the messages of the page, so each dialog has its own container for messages.
const place = () => document.querySelector('dialog[open] [data-toasts]') ?? document.getElementById('toasts')

/**
 * Shows a message at the top of the page, which screen readers read out.
 * A success message replaces all earlier success messages. A failure message replaces only success messages without an
 * Undo button.
 */
export function showToast(text: string, { tone = 'success', undo, label = 'Undo' }: ToastOptions = {}) {
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
      // The focused button disappeared with its message, so focus the previous element again.
      if (document.activeElement === document.body && from instanceof HTMLElement) from.focus()
    })
  })
  return form
}
