type Paste = { to: string; data_type: string; every: Record<string, string> }

/** What a spreadsheet would say of a field: a location by the code in brackets, anything else as it stands. */
function asCell(control: Element | RadioNodeList | null): string {
  if (control instanceof HTMLSelectElement) {
    const text = control.value ? (control.selectedOptions[0]?.text ?? '') : ''
    return /\(([^()]+)\)$/.exec(text)?.[1] ?? text
  }
  return control instanceof HTMLInputElement ? control.value : ''
}

/** Several rows pasted into a unit's field go to the importer, with what the form holds already in every row. */
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
    // What it holds goes along, so nothing of it is left behind.
    field.form.dataset.sent = ''
    document.body.append(form)
    form.requestSubmit()
  })
}
