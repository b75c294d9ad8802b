/** Shows an error below a field. An empty text removes the error of an earlier call with the same `name`. */
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
