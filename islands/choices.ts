/** Search in selects while the user types, by code or by any part of a name. */

/** Pause between two keys, in milliseconds. After a longer pause, a key that leads to no match starts a new query. */
const PAUSE_MS = 1200
const MAX_MATCHES = 8

/** Returns the positions of the labels that match the query, best match first. */
export function optionsFor(query: string, labels: string[]): number[] {
  const lowerQuery = query.toLowerCase()
  const lower = labels.map((label) => label.toLowerCase())
  const ways: ((label: string) => boolean)[] = [
    (label) => label.includes(`(${lowerQuery})`),
    (label) => label.startsWith(lowerQuery),
    (label) => label.includes(`(${lowerQuery}`),
    (label) => label.includes(` ${lowerQuery}`),
    (label) => label.includes(lowerQuery),
  ]
  return [...new Set(ways.flatMap((way) => lower.flatMap((label, at) => (way(label) ? [at] : []))))]
}

/** The label with its aliases, so that both are searchable. */
export const searchableText = ({ text, dataset: { also } }: HTMLOptionElement) => (also ? `${text}, ${also}` : text)

export const choose = (field: HTMLSelectElement, option: HTMLOptionElement) => {
  if (option.selected) return
  option.selected = true
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

function renderMatches(query: string, matches: HTMLOptionElement[], at: number): HTMLElement {
  const box = document.createElement('div')
  box.className = 'choices'
  box.setAttribute('role', 'status')
  const head = document.createElement('p')
  head.textContent = matches.length ? `“${query}” · ${matches.length} found` : `“${query}” · nothing found`
  const list = document.createElement('ul')
  const from = Math.max(0, Math.min(at - MAX_MATCHES + 1, matches.length - MAX_MATCHES))
  for (const [index, option] of matches.slice(from, from + MAX_MATCHES).entries()) {
    const line = document.createElement('li')
    line.textContent = searchableText(option)
    if (from + index === at) line.className = 'is-chosen'
    line.addEventListener('mousedown', (event) => {
      // Keep the focus in the select. A mouse press would otherwise move it.
      event.preventDefault()
      choose(option.closest('select') as HTMLSelectElement, option)
      box.remove()
    })
    list.append(line)
  }
  box.append(head, list)
  return box
}

/**
 * Adds search to the selects of forms. Letters search, arrow keys move through the matches, Escape closes the list of
 * matches and Enter submits the form.
 */
export function choiceKeys() {
  let query = ''
  let last = 0
  let matchingOptions: HTMLOptionElement[] = []
  let at = 0
  /** The option that was selected before the user started to type. */
  let before: HTMLOptionElement | undefined
  let box: HTMLElement | undefined
  const close = () => {
    query = ''
    matchingOptions = []
    box?.remove()
    box = undefined
  }
  const show = (field: HTMLSelectElement) => {
    box?.remove()
    box = renderMatches(query, matchingOptions, at)
    field.after(box)
    // Without a match, select the option from before typing again. A shorter query may have selected another one.
    const selectedOption = matchingOptions[at] ?? before
    if (selectedOption) choose(field, selectedOption)
  }
  const find = (field: HTMLSelectElement, text: string) => {
    if (!box) before = field.selectedOptions[0]
    const options = [...field.options].filter(({ value }) => value !== '')
    const labels = options.map(searchableText)
    const matches = (searchText: string) =>
      optionsFor(searchText, labels).map((index) => options[index] as HTMLOptionElement)
    query = text
    matchingOptions = matches(text)
    const newest = text.slice(-1)
    if (!matchingOptions.length && Date.now() - last > PAUSE_MS && matches(newest).length) {
      query = newest
      matchingOptions = matches(newest)
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
        // Enter submits the form, as in every other field.
        event.preventDefault()
        close()
        return field.form?.requestSubmit(field.form.querySelector<HTMLButtonElement>('button[type=submit]'))
      }
      const isOpen = box !== undefined
      if (isOpen && (key === 'ArrowDown' || key === 'ArrowUp') && matchingOptions.length) {
        at = (at + (key === 'ArrowDown' ? 1 : matchingOptions.length - 1)) % matchingOptions.length
        show(field)
      } else if (isOpen && key === 'Backspace') {
        if (query.length > 1) find(field, query.slice(0, -1))
        else close()
      } else if (isOpen && key === 'Escape') {
        close()
        // Escape closes only the list of matches, not the dialog around the form.
        event.stopPropagation()
      }
      // If no matches are shown, the space key opens the browser's own list, as in every other select.
      else if (key.length === 1 && !(key === ' ' && !isOpen)) find(field, query + key)
      else return
      event.preventDefault()
    },
    true,
  )
}
