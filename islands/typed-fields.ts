/** Which fields of a form somebody typed in, against what it was opened with. */

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** One box of several has a value of its own; which of them are ticked is a choice, not something typed. */
const isOneOfSeveral = ({ type, value }: HTMLInputElement) =>
  type === 'radio' || (type === 'checkbox' && value !== 'true')

export const isTyped = (field: Element): field is Field =>
  (field instanceof HTMLInputElement &&
    !['hidden', 'password', 'file', 'submit'].includes(field.type) &&
    !isOneOfSeveral(field)) ||
  field instanceof HTMLSelectElement ||
  field instanceof HTMLTextAreaElement

export const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.type === 'checkbox'

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const before = [...field.options].find((option) => option.defaultSelected) ?? field.options[0]
    return field.value !== (before?.value ?? '')
  }
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
}

/** Hidden fields that say what a form was opened with. */
export const OPENED = ['version', 'was', 'warnings_seen']
export const hidden = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`input[type=hidden][name="${name}"]`)

/** What the record held when its form was opened; null for a new one. */
function openedWith(form: HTMLFormElement): Record<string, unknown> | null {
  const was = hidden(form, 'was')?.value
  return was ? (JSON.parse(was) as Record<string, unknown>) : null
}

/**
 * The fields that differ from what the form was opened with. One that the server has sent back unsaved holds what was
 * typed as its own; of a new record all of those count.
 */
export function changedFields(form: HTMLFormElement): Field[] {
  const was = form.dataset.unsaved === undefined ? null : openedWith(form)
  const differs = (field: Field) => {
    if (form.dataset.unsaved === undefined) return isChanged(field)
    if (!was || !(field.name in was)) return true
    return String(was[field.name] ?? '') !== (isBox(field) ? String(field.checked) : field.value)
  }
  return [...form.elements].filter(isTyped).filter((field) => field.name && differs(field))
}
