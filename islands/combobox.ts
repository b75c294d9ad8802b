import { showFieldError } from './field-error'
import { make } from './make'
import { showToast } from './toast'

/**
 * Turns some selects into comboboxes: text inputs with filtered options.
 * This applies to selects that list master data, such as locations, and to selects with many options. The comboboxes
 * follow the ARIA pattern "list autocomplete". The select stays in the page and keeps the value. The input covers the
 * select, so the layout of the page does not change.
 */

const MAX_PLAIN_OPTIONS = 15
/**
 * Selects of master data, such as `location_id`.
 * They always become comboboxes, because users cannot search a plain select for a code or an alias.
 */
const MASTER_DATA = '[name$=_id]'
const MAX_SHOWN = 100

/** Returns the positions of the matching labels, best match first. */
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

/** `also` contains the aliases of the option. */
const searchableText = ({ text, dataset: { also } }: HTMLOptionElement) => (also ? `${text}, ${also}` : text)

const choose = (field: HTMLSelectElement, option: HTMLOptionElement) => {
  if (option.selected) return
  option.selected = true
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

let lastId = 0

/**
 * Functions that copy the selected label to the text input.
 * A function does nothing while its list is open or its input has an error.
 */
const syncs = new Map<HTMLSelectElement, () => void>()

function nameOf(select: HTMLSelectElement): string {
  const [label] = select.labels
  const text = (label?.querySelector('span:not(.required)') ?? label)?.firstChild?.textContent ?? ''
  return select.getAttribute('aria-label') ?? text.trim()
}

function build(select: HTMLSelectElement) {
  const hadFocus = document.activeElement === select
  const id = `choices-${++lastId}`
  const box = document.createElement('span')
  box.className = 'combobox'
  box.innerHTML =
    `<input role="combobox" autocomplete="off" aria-autocomplete="list" aria-expanded="false" ` +
    `aria-controls="${id}"><div class="combobox-list" hidden><ul id="${id}" role="listbox" tabindex="-1"></ul><p ` +
    `role="status"></p></div>`
  const [input, popup] = box.children as unknown as [HTMLInputElement, HTMLElement]
  const [list, status] = popup.children as unknown as [HTMLElement, HTMLElement]
  for (const element of [input, list]) element.setAttribute('aria-label', nameOf(select))
  for (const { name, value } of select.attributes) if (name.startsWith('aria-')) input.setAttribute(name, value)
  const blank = [...select.options].find(({ value }) => value === '')
  let shown: HTMLOptionElement[] = []
  let active = -1
  /** True if the previous key was the Escape that closed the list. The next Escape clears the input. */
  let isDismissed = false

  const textOf = (option: HTMLOptionElement | undefined) => (option?.value ? option.text : '')
  const isOpen = () => !popup.hidden
  const sync = () => {
    if (isOpen() || input.validity.customError) return
    const text = textOf(select.selectedOptions[0])
    const isFocused = document.activeElement === input
    if (input.value !== text && (!isFocused || text)) {
      input.value = text
      // Select the text that another script filled in, so that typing replaces it.
      if (isFocused) input.select()
    }
    input.placeholder = blank?.text ?? ''
  }
  const mark = (at: number) => {
    active = at < list.children.length ? at : -1
    for (const [position, item] of [...list.children].entries())
      item.setAttribute('aria-selected', String(position === active))
    const item = list.children[active]
    item?.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', item?.id ?? '')
  }
  const setOpen = (opens: boolean) => {
    popup.hidden = !opens
    input.setAttribute('aria-expanded', String(opens))
    if (!opens) mark(-1)
  }
  const open = (query: string) => {
    const options = [...select.options].filter((option) => option !== blank)
    const text = query.trim()
    shown = text ? optionsFor(text, options.map(searchableText)).map((at) => options[at] as HTMLOptionElement) : options
    list.replaceChildren(
      ...shown.slice(0, MAX_SHOWN).map((option, at) => {
        const item = make('li', { id: `${id}-${at}` }, searchableText(option))
        item.setAttribute('role', 'option')
        return item
      }),
    )
    const count = shown.length
    status.textContent = count ? `${count} result${count > 1 ? 's' : ''}` : `No match for “${text}”`
    setOpen(true)
    const { bottom, top } = input.getBoundingClientRect()
    popup.classList.remove('is-left')
    popup.classList.toggle('is-left', popup.getBoundingClientRect().right > document.documentElement.clientWidth)
    popup.classList.toggle('is-above', innerHeight - bottom < popup.offsetHeight && top > innerHeight - bottom)
    mark(text ? 0 : shown.findIndex((option) => option.selected))
  }
  const refuse = (message: string) => {
    input.setCustomValidity(message)
    showFieldError(box.closest(FIELD), 'unmatched', message)
  }
  const pick = (option: HTMLOptionElement) => {
    refuse('')
    setOpen(false)
    choose(select, option)
    input.value = textOf(option)
  }
  /**
   * Selects the highlighted option when the focus leaves the input.
   * If no option matches the typed text, the text stays and the form cannot be sent.
   */
  const leave = () => {
    const text = input.value.trim()
    const marked = shown[active]
    if (isOpen() && text && marked && text !== textOf(select.selectedOptions[0])) return pick(marked)
    setOpen(false)
    if (text === '' && blank) return pick(blank)
    const isKnown = text === '' || optionsFor(text, [...select.options].map(searchableText)).length > 0
    // Choose first, because the events of the select remove the field's error.
    if (!isKnown && blank) choose(select, blank)
    refuse(isKnown ? '' : `No match for “${text}”`)
    sync()
  }
  const onKey = (event: KeyboardEvent) => {
    const { key } = event
    const wasDismissed = isDismissed
    isDismissed = false
    const count = list.children.length
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen()) open('')
      else if (key === 'ArrowDown') mark((active + 1) % count)
      else mark((Math.max(active, 0) + count - 1) % count)
    } else if (key === 'Enter' && isOpen()) {
      const option = shown[active]
      if (option) pick(option)
    } else if (key === 'Escape' && (isOpen() || (wasDismissed && input.value))) {
      isDismissed = isOpen()
      if (isDismissed) setOpen(false)
      else if (blank) pick(blank)
      // Prevent Escape from also closing the dialog that contains the field.
      event.stopPropagation()
    } else return
    event.preventDefault()
  }

  input.addEventListener('keydown', onKey)
  input.addEventListener('focus', () => input.select())
  input.addEventListener('blur', leave)
  input.addEventListener('mousedown', () => {
    if (isOpen()) setOpen(false)
    else setTimeout(() => open(''))
  })
  // Forms must react only to the events of the select, because the select has the value.
  input.addEventListener('change', (event) => event.stopPropagation())
  input.addEventListener('input', (event) => {
    event.stopPropagation()
    open(input.value)
  })
  list.addEventListener('mousedown', (event) => {
    // Prevent the click from moving the focus out of the input.
    event.preventDefault()
    const option = shown[[...list.children].indexOf(event.target as Element)]
    if (option) pick(option)
  })
  select.before(box)
  box.prepend(select)
  select.tabIndex = -1
  select.setAttribute('aria-hidden', 'true')
  // A click on a label or on a link in the list of errors focuses the select, which is invisible behind the input.
  select.addEventListener('focus', () => input.focus())
  syncs.set(select, sync)
  sync()
  if (hadFocus) input.focus()
}

/**
 * True if React renders the select, as in interactive parts (`yard-island`).
 * The dialog is also such a part, but the server renders the form in it.
 */
const isRenderedByReact = (select: Element) => select.closest('yard-island, .modal-body')?.localName === 'yard-island'

function scan() {
  for (const select of syncs.keys()) if (!select.isConnected) syncs.delete(select)
  for (const select of document.querySelectorAll<HTMLSelectElement>('select'))
    if (
      !isRenderedByReact(select) &&
      (select.matches(MASTER_DATA) || select.options.length > MAX_PLAIN_OPTIONS + 1) &&
      !syncs.has(select)
    )
      build(select)
}

const syncAll = () => {
  for (const sync of syncs.values()) sync()
}

/** Element around a form field that can show an error. Filters have no such element. */
const FIELD = '.form .field'

export function comboboxFields() {
  scan()
  // Wait one frame, so that other scripts can first fill a new form, for example with a restored draft.
  const scanSoon = () =>
    requestAnimationFrame(() => {
      scan()
      syncAll()
    })
  new MutationObserver(scanSoon).observe(document.body, { childList: true, subtree: true })
  for (const type of ['input', 'change', 'reset', 'click', 'focusout'])
    document.addEventListener(type, () => setTimeout(syncAll))
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
      if (!invalidField.closest(FIELD)) showToast(invalidField.validationMessage, { tone: 'danger' })
    },
    { capture: true },
  )
}
