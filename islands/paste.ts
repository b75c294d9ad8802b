import { make } from './make'
import { type Field, isBox, isChanged } from './typed-fields'

/**
 * Returns the value of a form field as a spreadsheet cell.
 * A select gives the code in parentheses at the end of the label, or the whole label if there is no code.
 */
function asCell(control: Field): string {
  if (control instanceof HTMLSelectElement) {
    const text = control.value ? (control.selectedOptions[0]?.text ?? '') : ''
    return /\(([^()]+)\)$/.exec(text)?.[1] ?? text
  }
  if (isBox(control)) return control.checked ? 'Yes' : ''
  return control.value
}

const labelOf = (control: Field) => control.labels?.[0]?.textContent?.replace(/[\s*]+$/, '') ?? control.name

/**
 * Opens the importer for several rows pasted into a unit number field.
 * The values of the other fields apply to every row. A changed field also sends its label, as `label.{field}`. If an
 * import does not support the field, the server mentions the label in its message to the user.
 */
export function pastedRows() {
  document.addEventListener('paste', (event) => {
    const field = event.target
    if (!(field instanceof HTMLInputElement) || !field.dataset.paste || !field.form) return
    const rows = event.clipboardData?.getData('text') ?? ''
    if (rows.trim().split(/\r?\n/).length < 2) return
    event.preventDefault()
    const form = make('form', { method: 'post', action: field.dataset.pasteTo ?? '', hidden: true })
    const send = (name: string, value: string) => form.append(make('textarea', { name, value }))
    send('data_type', field.dataset.paste)
    send('rows', rows)
    for (const control of field.form.querySelectorAll<Field>('input:not([type=hidden]), select, textarea')) {
      if (control === field || !control.name) continue
      const column = control.name.replace(/_id$/, '')
      send(`every.${column}`, asCell(control))
      if (isChanged(control)) send(`label.${column}`, labelOf(control))
    }
    // Mark the form as sent, so that leaving the page stores no draft and shows no warning.
    field.form.dataset.sent = ''
    document.body.append(form)
    form.requestSubmit()
  })
}
