type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element | RadioNodeList | null): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement

/**
 * Returns the value of a form field as text for a spreadsheet: the code in brackets, `Yes` for a ticked box, or the
 * text.
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
 * Sends several rows that the user pastes into a unit number field to the importer. The other values of the form apply
 * to every row. `label.{field}` contains the label of each field that the user changed. With it, the server can name
 * the fields that an import does not support.
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
    // The form counts as sent. Its values go to the importer, so no input is lost.
    field.form.dataset.sent = ''
    document.body.append(form)
    form.requestSubmit()
  })
}
