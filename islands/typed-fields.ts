export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Fields with typed input. Choosing a radio button, or one of several checkboxes, does not count as such. */
const TYPED =
  'input:not([type=hidden], [type=password], [type=file], [type=submit], [type=radio], [type=checkbox]), ' +
  'input[type=checkbox][value=true], select, textarea'

export const isTyped = (field: Element): field is Field => field.matches(TYPED)

export const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.type === 'checkbox'

export function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const before = [...field.options].find((option) => option.defaultSelected) ?? field.options[0]
    return field.value !== (before?.value ?? '')
  }
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
}

/** Hidden fields that describe the record when the form was opened. */
export const OPENED = ['version', 'was', 'warnings_seen']
export const hidden = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`input[type=hidden][name="${name}"]`)

/** Returns null for a new record. */
function readOpenedValues(form: HTMLFormElement): Record<string, unknown> | null {
  const openedText = hidden(form, 'was')?.value
  return openedText ? (JSON.parse(openedText) as Record<string, unknown>) : null
}

/**
 * Returns the fields that changed since the user opened the form.
 * In a rejected form, the default values are the rejected input. Therefore, its fields are compared with the hidden
 * field `was`, which contains the values from when the form was opened.
 * A form for a new record has no such values. After a rejection, all its fields count as changed.
 * @param others names of fields to return even if they have not changed
 */
export function changedFields(form: HTMLFormElement, others?: URLSearchParams): Field[] {
  const openedValues = form.dataset.unsaved === undefined ? null : readOpenedValues(form)
  const differs = (field: Field) => {
    if (form.dataset.unsaved === undefined) return isChanged(field)
    if (!openedValues || !(field.name in openedValues)) return true
    return String(openedValues[field.name] ?? '') !== (isBox(field) ? String(field.checked) : field.value)
  }
  return [...form.elements].filter(isTyped).filter((field) => field.name && (others?.has(field.name) || differs(field)))
}
