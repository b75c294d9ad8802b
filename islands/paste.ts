type Paste = { to: string; data_type: string; every: Record<string, string> }

/**
 * Returns a field's text for a spreadsheet cell. For an option such as `Phoenix (PHX)`, this is the code in
 * parentheses.
 */
function asCell(control: Element | RadioNodeList | null): string {
  if (control instanceof HTMLSelectElement) {
    const text = control.value ? (control.selectedOptions[0]?.text ?? '') : ''
    return /\(([^()]+)\)$/.exec(text)?.[1] ?? text
  }
  return control instanceof HTMLInputElement ? control.value : ''
}

/** Sends several rows pasted into a unit field to the importer. The form's other values are added to every row. */
export function pastedRows() {
  document.addEventListener('paste', (event) => {
    const field = event.target
    if (!(field instanceof HTMLInputElement) || !field.dataset.paste || !field.form) return
    const rows = event.clipboardData?.getData('text') ?? ''
    if (rows.trim().split(/\r?\n/).length < 2) return
    event.preventDefault()
    const { to, data_type, every }: Paste = JSON.parse(field.dataset.paste)
    const form = document.createElement('form')
    form.method = 'post'
    form.action = to
    const send = (name: string, value: string) => {
      const input = document.createElement('textarea')
      input.name = name
      input.value = value
      form.append(input)
    }
    send('data_type', data_type)
    send('rows', rows)
    for (const [column, name] of Object.entries(every))
      send(`every.${column}`, asCell(field.form.elements.namedItem(name)))
    form.hidden = true
    // Treat the form as sent, because its values are sent with the rows.
    field.form.dataset.sent = ''
    document.body.append(form)
    form.requestSubmit()
  })
}
