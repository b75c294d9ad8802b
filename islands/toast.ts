const SHOWN_FOR_MS = 5000

/** Takes a message away after five seconds, unless someone is reading it with the pointer or the keyboard. */
export function expire(toast: Element) {
  setTimeout(() => {
    if (toast.matches(':hover, :focus-within')) expire(toast)
    else toast.remove()
  }, SHOWN_FOR_MS)
}

/** Says something at the top right, to eyes and screen readers. */
export function showToast(text: string, tone: 'success' | 'danger' = 'success') {
  const toast = document.createElement('p')
  toast.className = `toast toast-${tone}`
  toast.textContent = text
  document.getElementById('toasts')?.append(toast)
  expire(toast)
}
