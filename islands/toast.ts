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
    else expire(toast)
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
  if (undo) toast.append(undoForm(toast, undo, label))
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
    setTimeout(() => {
      toast.remove()
      // It went away with its button; the keys go on where they were.
      if (document.activeElement === document.body && from instanceof HTMLElement) from.focus()
    })
  })
  return form
}
