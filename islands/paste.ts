type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element | RadioNodeList | null): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement

/**
 * Returns the value of a form field as a spreadsheet cell.
 * A select gives the code in parentheses at the end of the label, or the whole label if there is no code.
 */
function asCell(control: Control): string {
  if (control instanceof HTMLSelectElement) {
    const text = control.value ? (control.selectedOptions[0]?.text ?? '') : ''
    return /\(([^()]+)\)$/.exec(text)?.[1] ?? text
  }
  if (control.type === 'checkbox') return control instanceof HTMLInputElement && control.checked ? 'Yes' : ''
  return control.value
}

function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const initial = [...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0]
    return control.value !== initial?.value
  }
  if (control.type === 'checkbox')
    return control instanceof HTMLInputElement && control.checked !== control.defaultChecked
  return control.value !== control.defaultValue
}

const labelOf = (control: Control) => control.labels?.[0]?.textContent?.replace(/[\s*]+$/, '') ?? control.name

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
    const form = document.createElement('form')
    form.method = 'post'
    form.action = field.dataset.pasteTo ?? ''
    const send = (name: string, value: string) => {
      const input = document.createElement('textarea')
      input.name = name
      input.value = value
      form.append(input)
    }
    send('data_type', field.dataset.paste)
    send('rows', rows)
    for (const control of field.form.elements) {
      if (!isControl(control) || control === field || !control.name || control.type === 'hidden') continue
      const column = control.name.replace(/_id$/, '')
      send(`every.${column}`, asCell(control))
      if (isChanged(control)) send(`label.${column}`, labelOf(control))
    }
    form.hidden = true
    // Mark the form as sent, so that leaving the page stores no draft and shows no warning.
    field.form.dataset.sent = ''
    document.body.append(form)
    form.requestSubmit()
  })
}
