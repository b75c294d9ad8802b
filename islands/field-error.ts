/**
 * Shows an error below a field.
 * It replaces an earlier error with the same `name`. An empty `text` only removes the earlier error.
 */
export function showFieldError(frame: Element | null, name: string, text: string) {
  frame?.querySelector(`[data-${name}]`)?.remove()
  if (!frame || !text) return
  const note = document.createElement('p')
  note.className = 'field-error'
  note.dataset[name] = ''
  note.role = 'alert'
  note.textContent = text
  frame.append(note)
}
