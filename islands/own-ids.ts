/** Attributes that refer to other elements by id, and by `#id`. */
const NAMES = ['for', 'aria-describedby', 'aria-labelledby', 'aria-controls', 'list']
const ADDRESSES = ['href', 'hx-target']

/** Renames ids in a dialog that the page also has. Labels and error links then lead to the dialog's own fields. */
export function ownIds(dialog: Element) {
  for (const element of dialog.querySelectorAll('[id]')) {
    const { id } = element
    const same = document.querySelectorAll(`[id="${CSS.escape(id)}"]`)
    if ([...same].every((other) => dialog.contains(other))) continue
    element.id = `dialog-${id}`
    for (const name of NAMES) repoint(dialog, name, id, element.id)
    for (const name of ADDRESSES) repoint(dialog, name, `#${id}`, `#${element.id}`)
  }
}

function repoint(within: Element, attribute: string, from: string, to: string) {
  for (const pointer of within.querySelectorAll(`[${attribute}~="${CSS.escape(from)}"]`)) {
    const words = (pointer.getAttribute(attribute) ?? '').split(' ')
    pointer.setAttribute(attribute, words.map((word) => (word === from ? to : word)).join(' '))
  }
}
