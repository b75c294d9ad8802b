import { forgetSaid, showToast } from './toast'

type Submitted = {
  form: HTMLFormElement
  button: HTMLButtonElement
  label: string
  locking: ReturnType<typeof setTimeout>
}

let busy: Submitted[] = []

function release() {
  for (const { form, button, label, locking } of busy) {
    // A failure may come back before the button was locked.
    clearTimeout(locking)
    button.textContent = label
    button.disabled = false
    if (form.dataset.busyLocks !== undefined)
      for (const field of form.querySelectorAll<HTMLInputElement>('input')) field.disabled = false
  }
  busy = []
}

/** A double click is one wish: the second submit is dropped before anybody else hears of it. */
function dropRepeated(event: Event) {
  if (!busy.some(({ form }) => form === event.target)) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** While a form is under way its button says so and cannot be pressed again; one submit is one change. */
export function busyForms() {
  document.addEventListener('submit', dropRepeated, { capture: true })
  // A key that is held down would send the form that comes in the place of the one that was sent.
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.repeat && event.target instanceof HTMLInputElement) event.preventDefault()
  })
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
    const label = form.dataset.busy
    if (!button || !label) return
    const before = button.textContent ?? ''
    button.textContent = label
    // A disabled field is not sent, so this waits until the browser has read the form.
    const locking = setTimeout(() => {
      button.disabled = true
      if (form.dataset.busyLocks !== undefined)
        for (const field of form.querySelectorAll<HTMLInputElement>('input:not([type=hidden])')) field.disabled = true
    })
    busy.push({ form, button, label: before, locking })
  })
  document.addEventListener('htmx:finally:request', (event) => {
    // On its way to another page the form stays as it is.
    if (!(event as CustomEvent).detail.ctx?.hx?.redirect) release()
  })
  window.addEventListener('pageshow', release)
  document.addEventListener('input', (event) => {
    ;(event.target as Element).closest('form')?.querySelector('[data-clear-on-input]')?.remove()
  })
}

/** Who has read a warning saves anyway with Enter. */
export function enterSavesAnyway() {
  document.addEventListener('keydown', (event) => {
    const summary = event.target as HTMLElement
    if (event.key !== 'Enter' || !summary.matches('.error-summary.is-warning')) return
    event.preventDefault()
    const form = summary.closest('form')
    form?.requestSubmit(form.querySelector<HTMLButtonElement>('button[type=submit]'))
  })
}

const KEPT = 'What you typed is still here.'

/** Says at the form itself that it was not saved; elsewhere, and for what is no form, at the top right. */
function sayFailed(source: unknown, words: string) {
  const form = source instanceof Element ? source.closest<HTMLFormElement>('form.form') : null
  if (!form) return showToast(words, { tone: 'danger' })
  form.querySelector('[data-failure]')?.remove()
  const summary = document.createElement('div')
  summary.className = 'error-summary'
  summary.dataset.failure = ''
  summary.role = 'alert'
  summary.tabIndex = -1
  const heading = document.createElement('h2')
  heading.textContent = words
  const kept = document.createElement('p')
  kept.textContent = KEPT
  summary.append(heading, kept)
  form.prepend(summary)
  summary.focus()
}

/** Was it asked for by nobody, such as what is known of a unit while it is typed? Then there is nothing to say. */
function isUnasked(source: unknown): boolean {
  if (!(source instanceof HTMLElement) || !source.matches('input[hx-get], div[hx-get]')) return false
  const target = source.getAttribute('hx-target')
  // What it said before is about something else.
  if (target?.startsWith('#')) document.querySelector(target)?.replaceChildren()
  return true
}

/** A fault leaves the form as it was typed, and says what happened, in the server's words when it has any. */
export function sayFailures() {
  document.addEventListener('yardmaster:failed', (event) => {
    const { text, reason } = (event as CustomEvent<{ text: string; reason?: string }>).detail
    sayFailed(event.target, [text, reason].filter(Boolean).join('. '))
  })
  document.addEventListener('htmx:before:response', (event) => {
    const { ctx } = (event as CustomEvent).detail
    const { status, headers } = ctx?.response ?? {}
    // Not ours: something between us and the server could not reach it.
    if (status >= 500 && !isUnasked(ctx.sourceElement) && !headers?.get('hx-trigger'))
      sayFailed(ctx.sourceElement, `The server cannot be reached (${status}). Please try again in a moment.`)
  })
  document.addEventListener('htmx:error', (event) => {
    const { ctx } = (event as CustomEvent).detail
    if (isUnasked(ctx?.sourceElement)) return
    sayFailed(ctx?.sourceElement, 'The server cannot be reached. Please try again in a moment.')
  })
  document.addEventListener('submit', ({ target }) => {
    ;(target as Element).querySelector('[data-failure]')?.remove()
    forgetSaid()
  })
}

/** What was typed into a search or chosen in a filter before the scripts were there is asked for now. */
export function catchUp() {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[role=search]')) {
    const isTyped = [...form.elements].some(
      (field) =>
        (field instanceof HTMLInputElement && field.type === 'search' && field.value !== field.defaultValue) ||
        (field instanceof HTMLSelectElement &&
          [...field.options].some((option) => option.selected !== option.defaultSelected)),
    )
    if (isTyped) form.dispatchEvent(new Event('change', { bubbles: true }))
  }
}

/** A refused form puts the reader at what was wrong, or at the one field that the next is scanned into. */
export function focusErrors() {
  const focus = () => {
    const summary = document.querySelector<HTMLElement>('[data-error-summary]')
    const field = summary?.closest('form')?.querySelector<HTMLInputElement>('input[data-scan]')
    if (!field) return summary?.focus()
    field.focus()
    field.select()
  }
  focus()
  document.addEventListener('htmx:after:swap', focus)
}
