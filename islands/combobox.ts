import { choose, optionsFor, searchableText } from './choices'
import { showToast } from './toast'

/**
 * Turns selects with many options into comboboxes with a filtered list, by the ARIA pattern "list autocomplete". The
 * select stays in the page and keeps the value. An input covers it, so that nothing moves.
 */

/** A select with more options than this becomes a combobox. */
const MAX_PLAIN_OPTIONS = 15
const MAX_SHOWN = 100

type Parts = { select: HTMLSelectElement; input: HTMLInputElement; list: HTMLElement; status: HTMLElement }

const comboboxes = new Map<HTMLSelectElement, Combobox>()
let lastId = 0

class Combobox {
  #shown: HTMLOptionElement[] = []
  #active = -1
  /** True if the previous key was the Escape that closed the list. The next Escape clears the input. */
  #isDismissed = false

  constructor(readonly parts: Parts) {
    const { input, list } = parts
    input.addEventListener('keydown', (event) => this.#onKey(event))
    input.addEventListener('focus', () => input.select())
    input.addEventListener('blur', () => this.#leave())
    input.addEventListener('mousedown', () => {
      if (document.activeElement === input) this.#toggle()
      else setTimeout(() => this.#open(''))
    })
    // Forms react to the events of the select, not to those of its search text.
    for (const type of ['input', 'change']) input.addEventListener(type, (event) => event.stopPropagation())
    input.addEventListener('input', () => this.#open(input.value))
    list.addEventListener('mousedown', (event) => {
      // Keeps the focus in the input.
      event.preventDefault()
      const at = Number((event.target as Element).closest<HTMLElement>('[role=option]')?.dataset.at ?? -1)
      if (this.#shown[at]) this.#choose(this.#shown[at])
    })
  }

  get #isOpen() {
    return this.parts.input.getAttribute('aria-expanded') === 'true'
  }

  /** Shows the choice of the select, unless the user is typing. */
  sync() {
    const { select, input } = this.parts
    if (this.#isOpen || input.validity.customError) return
    const [option] = select.selectedOptions
    const text = option?.value ? option.text : ''
    if (input.value !== text && (document.activeElement !== input || text)) input.value = text
    input.placeholder = select.options[0]?.value === '' ? select.options[0].text : ''
    input.disabled = select.disabled
  }

  #open(query: string) {
    const { select, input, list, status } = this.parts
    const options = [...select.options].filter(({ value }) => value !== '')
    const text = query.trim()
    this.#shown = text
      ? optionsFor(text, options.map(searchableText)).map((at) => options[at] as HTMLOptionElement)
      : options
    const hidden = this.#shown.length - MAX_SHOWN
    list.replaceChildren(
      ...this.#shown.slice(0, MAX_SHOWN).map((option, at) => {
        const item = document.createElement('li')
        item.id = `${list.id}-${at}`
        item.dataset.at = String(at)
        item.setAttribute('role', 'option')
        item.textContent = searchableText(option)
        return item
      }),
    )
    const count = this.#shown.length === 1 ? '1 result' : `${this.#shown.length} results`
    status.textContent = this.#shown.length === 0 ? `No match for “${text}”` : text ? count : ''
    status.dataset.more = hidden > 0 ? `${hidden} more: type to narrow the list` : ''
    input.setAttribute('aria-expanded', 'true')
    const box = list.parentElement as HTMLElement
    box.hidden = false
    const { bottom, top } = input.getBoundingClientRect()
    box.classList.toggle('is-above', innerHeight - bottom < box.offsetHeight && top > innerHeight - bottom)
    this.#mark(text ? 0 : this.#shown.findIndex((option) => option.selected))
  }

  #mark(at: number) {
    const { input, list } = this.parts
    this.#active = at < this.#shown.length ? at : -1
    for (const item of list.children) item.setAttribute('aria-selected', 'false')
    const item = list.children[this.#active]
    item?.setAttribute('aria-selected', 'true')
    item?.scrollIntoView({ block: 'nearest' })
    if (item) input.setAttribute('aria-activedescendant', item.id)
    else input.removeAttribute('aria-activedescendant')
  }

  #close() {
    const { input, list } = this.parts
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
    ;(list.parentElement as HTMLElement).hidden = true
    this.#active = -1
  }

  #toggle() {
    if (this.#isOpen) this.#close()
    else this.#open('')
  }

  #choose(option: HTMLOptionElement) {
    const { select, input } = this.parts
    input.setCustomValidity('')
    this.#close()
    choose(select, option)
    input.value = option.value ? option.text : ''
  }

  /** Chooses what the user typed. Without a match, the text stays and the form cannot be sent. */
  #leave() {
    const { select, input, status } = this.parts
    const text = input.value.trim()
    const marked = this.#shown[this.#active]
    const blank = [...select.options].find(({ value }) => value === '')
    if (this.#isOpen && text && marked && text !== select.selectedOptions[0]?.text) return this.#choose(marked)
    this.#close()
    if (text === '' && blank) return this.#choose(blank)
    const [match] = optionsFor(
      text,
      [...select.options].map(({ text }) => text),
    )
    input.setCustomValidity(text && match === undefined ? `No match for “${text}”. Choose an entry from the list.` : '')
    if (input.validity.customError && blank) choose(select, blank)
    status.textContent = ''
    this.sync()
  }

  #onKey(event: KeyboardEvent) {
    const { input, select } = this.parts
    if (event.ctrlKey || event.metaKey) return
    const { key } = event
    const wasDismissed = this.#isDismissed
    this.#isDismissed = false
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!this.#isOpen) this.#open('')
      else {
        const step = key === 'ArrowDown' ? 1 : -1
        const count = Math.min(this.#shown.length, MAX_SHOWN)
        if (count) this.#mark((Math.max(this.#active, step < 0 ? 0 : -1) + step + count) % count)
      }
    } else if (key === 'Enter' && this.#isOpen) {
      const option = this.#shown[this.#active]
      if (option) this.#choose(option)
    } else if (key === 'Escape' && this.#isOpen) {
      this.#close()
      this.#isDismissed = true
      // Do not close the dialog around the field.
      event.stopPropagation()
    } else if (key === 'Escape' && wasDismissed && input.value) {
      input.value = ''
      input.setCustomValidity('')
      const blank = [...select.options].find(({ value }) => value === '')
      if (blank) choose(select, blank)
      event.stopPropagation()
    } else return
    event.preventDefault()
  }
}

function nameOf(select: HTMLSelectElement): string {
  const [label] = select.labels
  const text = (label?.querySelector('span:not(.required)') ?? label)?.firstChild?.textContent ?? ''
  return select.getAttribute('aria-label') ?? text.trim()
}

function build(select: HTMLSelectElement) {
  const hadFocus = document.activeElement === select
  const element = <Name extends keyof HTMLElementTagNameMap>(name: Name, className: string) =>
    Object.assign(document.createElement(name), { className })
  const box = element('span', 'combobox')
  const input = element('input', '')
  const popup = element('div', 'combobox-list')
  const list = element('ul', '')
  const status = element('p', '')
  list.id = `choices-${++lastId}`
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', nameOf(select))
  status.setAttribute('role', 'status')
  popup.hidden = true
  popup.append(list, status)
  const attributes = {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    'aria-label': nameOf(select),
  }
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  for (const name of ['aria-describedby', 'aria-invalid', 'aria-required']) {
    const value = select.getAttribute(name)
    if (value !== null) input.setAttribute(name, value)
  }
  select.before(box)
  box.append(select, input, popup)
  select.tabIndex = -1
  select.setAttribute('aria-hidden', 'true')
  // Labels and links to errors focus the select.
  select.addEventListener('focus', () => input.focus())
  const combobox = new Combobox({ select, input, list, status })
  comboboxes.set(select, combobox)
  combobox.sync()
  if (hadFocus) input.focus()
}

function scan() {
  for (const select of comboboxes.keys()) if (!select.isConnected) comboboxes.delete(select)
  for (const select of document.querySelectorAll<HTMLSelectElement>('select:not(yard-island select)'))
    if (select.options.length > MAX_PLAIN_OPTIONS + 1 && !comboboxes.has(select)) build(select)
}

const syncAll = () => {
  for (const combobox of comboboxes.values()) combobox.sync()
}

export function comboboxFields() {
  let isWaiting = false
  const scanSoon = () => {
    if (isWaiting) return
    isWaiting = true
    // Waits for scripts that fill a new form, such as the restored draft.
    requestAnimationFrame(() => {
      isWaiting = false
      scan()
      syncAll()
    })
  }
  scan()
  new MutationObserver(scanSoon).observe(document.body, { childList: true, subtree: true })
  for (const type of ['input', 'change', 'reset', 'click']) document.addEventListener(type, () => setTimeout(syncAll))
  addEventListener('pageshow', syncAll)
  document.addEventListener(
    'submit',
    (event) => {
      const fields = (event.target as HTMLFormElement).querySelectorAll<HTMLInputElement>('.combobox input')
      const invalidField = [...fields].find(({ validity }) => validity.customError)
      if (!invalidField) return
      event.preventDefault()
      event.stopImmediatePropagation()
      invalidField.focus()
      showToast(invalidField.validationMessage, { tone: 'danger' })
    },
    { capture: true },
  )
}
