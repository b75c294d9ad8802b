import { make } from './make'

const SHOWN_FOR_MS = 5000

function expire(toast: Element) {
  setTimeout(() => {
    if (toast.matches(':hover, :focus-within')) expire(toast)
    else toast.remove()
  }, SHOWN_FOR_MS)
}

/**
 * Makes the messages on the page disappear after a while.
 * After Back or Forward, removes them at once, because the user has already seen them.
 */
export function showPendingToast() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  for (const toast of document.querySelectorAll('[data-toast]'))
    if (visit?.type === 'back_forward') toast.remove()
    else {
      const form = toast.querySelector('form')
      if (form) undoForms.push(form)
      expire(toast)
    }
}

/** Forms that undo the latest changes, newest last. Ctrl+Z uses them even after their messages have disappeared. */
const undoForms: HTMLFormElement[] = []
/** True after the user has pressed Undo, until the next message appears. */
let isUndoing = false

/** @returns false if there was nothing to undo */
export function undoLatest(): boolean {
  const form = undoForms.pop()
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
  tone?: 'success' | 'danger' | undefined
  /** Function to call, or URL to which a form is sent. */
  undo?: (() => void) | string | undefined
  label?: string
  keepsOthers?: boolean
}

// An open dialog covers the messages of the page, so each dialog has its own container for messages.
const place = () => document.querySelector('dialog[open] [data-toasts]') ?? document.getElementById('toasts')

/**
 * Shows a message on the page or in the open dialog.
 * Screen readers read it out. A success message replaces all earlier success messages. A failure message replaces only
 * success messages without an Undo button. With `keepsOthers`, it replaces no message.
 */
export function showToast(text: string, { tone = 'success', undo, label = 'Undo', keepsOthers }: ToastOptions = {}) {
  const toasts = place()
  for (const before of toasts?.querySelectorAll('.toast-success') ?? [])
    if (!keepsOthers && (tone === 'success' || !before.querySelector('form'))) before.remove()
  const toast = make('div', { className: `toast toast-${tone}` }, text)
  const form = undo ? undoForm(toast, undo, label) : null
  if (form) toast.append(form)
  // Ctrl+Z does not repeat a change that it has just undone.
  if (!isUndoing)
    if (form) undoForms.push(form)
    // This change cannot be undone. Forget the earlier changes, because Ctrl+Z must not undo one of them by surprise.
    else if (tone === 'success') undoForms.length = 0
  isUndoing = false
  toasts?.append(toast)
  expire(toast)
}

function undoForm(toast: Element, undo: (() => void) | string, label: string): HTMLFormElement {
  const from = document.activeElement
  const form = make('form', { method: 'post' }, make('button', {}, label))
  if (typeof undo === 'string') {
    form.action = undo
    form.dataset.rowForm = ''
  }
  form.addEventListener('submit', (event) => {
    if (typeof undo === 'function') {
      event.preventDefault()
      undo()
    }
    isUndoing = true
    const at = undoForms.indexOf(form)
    if (at >= 0) undoForms.splice(at, 1)
    setTimeout(() => {
      toast.remove()
      form.remove()
      // The Undo button had the focus and has disappeared. Return the focus to the element that had it before.
      if (document.activeElement === document.body && from instanceof HTMLElement) from.focus()
    })
  })
  return form
}
