import { make } from './make'

/**
 * Shows an error below a field.
 * It replaces an earlier error with the same `name`. An empty `text` only removes the earlier error.
 */
export function showFieldError(frame: Element | null, name: string, text: string) {
  frame?.querySelector(`[data-${name}]`)?.remove()
  if (!frame || !text) return
  const note = make('p', { className: 'field-error', role: 'alert' }, text)
  note.dataset[name] = ''
  frame.append(note)
}
