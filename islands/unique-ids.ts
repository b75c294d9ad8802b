/**
 * Attributes that refer to another element by its id. Attributes in `REFERENCE_IDS` contain the plain id, and
 * attributes in `REFERENCE_URLS` contain `#` and the id.
 */
const REFERENCE_IDS = ['for', 'aria-describedby', 'aria-labelledby', 'aria-controls', 'list']
const REFERENCE_URLS = ['href', 'hx-target']

/**
 * Renames ids in a dialog that also occur in the page. Otherwise, a label or error link in the dialog could lead to a
 * field of the page with the same id.
 */
export function uniqueIds(dialog: Element) {
  for (const element of dialog.querySelectorAll('[id]')) {
    const { id } = element
    const duplicates = document.querySelectorAll(`[id="${CSS.escape(id)}"]`)
    if ([...duplicates].every((other) => dialog.contains(other))) continue
    element.id = `dialog-${id}`
    for (const name of REFERENCE_IDS) repoint(dialog, name, id, element.id)
    for (const name of REFERENCE_URLS) repoint(dialog, name, `#${id}`, `#${element.id}`)
  }
}

function repoint(within: Element, attribute: string, from: string, to: string) {
  for (const pointer of within.querySelectorAll(`[${attribute}~="${CSS.escape(from)}"]`)) {
    const words = (pointer.getAttribute(attribute) ?? '').split(' ')
    pointer.setAttribute(attribute, words.map((word) => (word === from ? to : word)).join(' '))
  }
}
