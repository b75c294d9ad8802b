/** Choosing by typing: a select finds by code and by any part of a name, and shows what it found. */

/** After a pause, what matches nothing begins anew. */
const PAUSE_MS = 1200
const SHOWN = 8

/** The options that what was typed means: by a code in brackets, a beginning or any part; the likeliest first. */
export function optionsFor(typed: string, labels: string[]): number[] {
  const wanted = typed.toLowerCase()
  const lower = labels.map((label) => label.toLowerCase())
  const ways: ((label: string) => boolean)[] = [
    (label) => label.includes(`(${wanted})`),
    (label) => label.startsWith(wanted),
    (label) => label.includes(`(${wanted}`),
    (label) => label.includes(` ${wanted}`),
    (label) => label.includes(wanted),
  ]
  return [...new Set(ways.flatMap((way) => lower.flatMap((label, at) => (way(label) ? [at] : []))))]
}

/** With what it is called beside. */
const nameOf = ({ text, dataset: { also } }: HTMLOptionElement) => (also ? `${text}, ${also}` : text)

const choose = (field: HTMLSelectElement, option: HTMLOptionElement) => {
  if (option.selected) return
  option.selected = true
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** What was typed and what it may mean, beneath the field; the marked one is chosen. */
function drawn(typed: string, found: HTMLOptionElement[], at: number): HTMLElement {
  const box = document.createElement('div')
  box.className = 'choices'
  box.setAttribute('role', 'status')
  const head = document.createElement('p')
  head.textContent = found.length ? `“${typed}” · ${found.length} found` : `“${typed}” · nothing found`
  const list = document.createElement('ul')
  const from = Math.max(0, Math.min(at - SHOWN + 1, found.length - SHOWN))
  for (const [index, option] of found.slice(from, from + SHOWN).entries()) {
    const line = document.createElement('li')
    line.textContent = nameOf(option)
    if (from + index === at) line.className = 'is-chosen'
    line.addEventListener('mousedown', (event) => {
      // The field keeps the focus.
      event.preventDefault()
      choose(option.closest('select') as HTMLSelectElement, option)
      box.remove()
    })
    list.append(line)
  }
  box.append(head, list)
  return box
}

/** In a select of a form letters find, arrows go through what was found, Escape closes it, Enter sends the form. */
export function choiceKeys() {
  let typed = ''
  let last = 0
  let found: HTMLOptionElement[] = []
  let at = 0
  /** What was chosen when the typing began. */
  let before: HTMLOptionElement | undefined
  let box: HTMLElement | undefined
  const close = () => {
    typed = ''
    found = []
    box?.remove()
    box = undefined
  }
  const show = (field: HTMLSelectElement) => {
    box?.remove()
    box = drawn(typed, found, at)
    field.after(box)
    // What is not there chooses nothing: the beginning of its name may be that of another.
    const marked = found[at] ?? before
    if (marked) choose(field, marked)
  }
  const find = (field: HTMLSelectElement, text: string) => {
    if (!box) before = field.selectedOptions[0]
    const options = [...field.options].filter(({ value }) => value !== '')
    const labels = options.map(nameOf)
    const matches = (wanted: string) => optionsFor(wanted, labels).map((index) => options[index] as HTMLOptionElement)
    typed = text
    found = matches(text)
    const newest = text.slice(-1)
    if (!found.length && Date.now() - last > PAUSE_MS && matches(newest).length) {
      typed = newest
      found = matches(newest)
    }
    last = Date.now()
    at = 0
    show(field)
  }
  document.addEventListener('focusin', close)
  document.addEventListener('focusout', close)
  document.addEventListener(
    'keydown',
    (event) => {
      const field = event.target
      if (!(field instanceof HTMLSelectElement) || !field.closest('.form, .selection-bar')) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const { key } = event
      if (key === 'Enter') {
        // As in every other field.
        event.preventDefault()
        close()
        return field.form?.requestSubmit(field.form.querySelector<HTMLButtonElement>('button[type=submit]'))
      }
      const isOpen = box !== undefined
      if (isOpen && (key === 'ArrowDown' || key === 'ArrowUp') && found.length) {
        at = (at + (key === 'ArrowDown' ? 1 : found.length - 1)) % found.length
        show(field)
      } else if (isOpen && key === 'Backspace') {
        if (typed.length > 1) find(field, typed.slice(0, -1))
        else close()
      } else if (isOpen && key === 'Escape') {
        close()
        // The dialog around it stays.
        event.stopPropagation()
      }
      // A blank opens the browser's own list, as it does in every other select.
      else if (key.length === 1 && !(key === ' ' && !isOpen)) find(field, typed + key)
      else return
      event.preventDefault()
    },
    true,
  )
}
