/** What names the id of another element. */
const POINTERS = ['for', 'aria-describedby', 'aria-labelledby', 'aria-controls', 'list']

/**
 * Where the page has a form of the same kind, a dialog's ids are named apart: a label, or a line of the summary, leads
 * to its own field and never to the one behind the dialog.
 */
export function ownIds(dialog: Element) {
  for (const element of dialog.querySelectorAll('[id]')) {
    const { id } = element
    const isTwice = [...document.querySelectorAll(`[id="${CSS.escape(id)}"]`)].some((other) => !dialog.contains(other))
    if (!isTwice) continue
    element.id = `dialog-${id}`
    for (const pointer of POINTERS)
      for (const from of dialog.querySelectorAll(`[${pointer}~="${CSS.escape(id)}"]`))
        from.setAttribute(pointer, (from.getAttribute(pointer) ?? '').replace(id, element.id))
    for (const link of dialog.querySelectorAll(`a[href="#${CSS.escape(id)}"]`))
      link.setAttribute('href', `#${element.id}`)
  }
}
