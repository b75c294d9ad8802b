/**
 * Shows an error below a field. If the field already has an error of the same `name`, this earlier error is removed. If
 * `text` is empty, no new error is shown.
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
