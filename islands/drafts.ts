import { showToast } from './toast'

/**
 * What was typed and not saved. It outlives a lost sign-in, a closed dialog and a page that was left: in this window it
 * is there again when its form is opened once more.
 */

/** Whoever signs in next in this window does not see what another had typed. */
const ours = () => `yardmaster-draft:${document.querySelector<HTMLElement>('[data-account]')?.dataset.account ?? ''}:`

/** `kept`: the page came anew for something else that was done on it. */
type Reason = 'signed out' | 'left' | 'kept'
/** `opened` is what the form was typed against: the version of its record, and what that held. */
type Draft = { reason: Reason; fields: [name: string, value: string][]; opened: Record<string, string> }

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

// A form is posted to the address that also shows it.
const keyOf = (form: HTMLFormElement) => ours() + new URL(form.action).pathname

/** One box of several has a value of its own; which of them are ticked is a choice, not something typed. */
const isOneOfSeveral = ({ type, value }: HTMLInputElement) =>
  type === 'radio' || (type === 'checkbox' && value !== 'true')

const isTyped = (field: Element): field is Field =>
  (field instanceof HTMLInputElement &&
    !['hidden', 'password', 'file', 'submit'].includes(field.type) &&
    !isOneOfSeveral(field)) ||
  field instanceof HTMLSelectElement ||
  field instanceof HTMLTextAreaElement

const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.type === 'checkbox'

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const before = [...field.options].find((option) => option.defaultSelected) ?? field.options[0]
    return field.value !== (before?.value ?? '')
  }
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
}

/** Hidden fields that say what a form was opened with. */
const OPENED = ['version', 'was', 'warnings_seen']
const hidden = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`input[type=hidden][name="${name}"]`)

/** What the record held when its form was opened; null for a new one. */
function openedWith(form: HTMLFormElement): Record<string, unknown> | null {
  const was = hidden(form, 'was')?.value
  return was ? (JSON.parse(was) as Record<string, unknown>) : null
}

/**
 * The fields that differ from what the form was opened with. One that the server has sent back unsaved holds what was
 * typed as its own; of a new record all of those count.
 */
function changedFields(form: HTMLFormElement): Field[] {
  const was = form.dataset.unsaved === undefined ? null : openedWith(form)
  const differs = (field: Field) => {
    if (form.dataset.unsaved === undefined) return isChanged(field)
    if (!was || !(field.name in was)) return true
    return String(was[field.name] ?? '') !== (isBox(field) ? String(field.checked) : field.value)
  }
  return [...form.elements].filter(isTyped).filter((field) => field.name && differs(field))
}

const isOpen = (form: HTMLFormElement) => form.dataset.draft !== undefined && form.dataset.sent === undefined

/** Was something typed in the form that is not saved? */
export const isDirty = (form: HTMLFormElement) => isOpen(form) && changedFields(form).length > 0

const dirtyForms = (root: ParentNode) => [...root.querySelectorAll<HTMLFormElement>('form[data-draft]')].filter(isDirty)

/** Keeps what was typed in the forms within `root`. @returns whether there was anything */
export function saveDrafts(root: ParentNode, reason: Reason): boolean {
  const forms = dirtyForms(root)
  for (const form of forms) {
    const fields = changedFields(form).map((field): [string, string] => [
      field.name,
      isBox(field) ? String(field.checked) : field.value,
    ])
    const opened = Object.fromEntries(
      OPENED.flatMap((name) => (hidden(form, name) ? [[name, hidden(form, name)?.value ?? '']] : [])),
    )
    sessionStorage.setItem(keyOf(form), JSON.stringify({ reason, fields, opened } satisfies Draft))
  }
  return forms.length > 0
}

export function keepDrafts() {
  restoreDrafts(document)
  document.addEventListener('htmx:before:response', (event) => {
    const { ctx } = (event as CustomEvent).detail
    const form = ctx?.sourceElement as Element | undefined
    if (ctx?.response?.status !== 401 || !(form instanceof HTMLFormElement) || form.dataset.draft === undefined) return
    delete form.dataset.sent
    saveDrafts(form.parentElement ?? document, 'signed out')
    form.dataset.sent = ''
  })
  // A form on its way to the server is not left; one that comes back refused is open again.
  document.addEventListener('submit', ({ target, defaultPrevented }) => {
    const form = target as HTMLFormElement
    if (form.dataset.draft === undefined || (defaultPrevented && !form.hasAttribute('hx-post'))) return
    form.dataset.sent = ''
    // Kept when somebody was about to leave and stayed; what is sent now is no draft any more.
    sessionStorage.removeItem(keyOf(form))
  })
  document.addEventListener('htmx:finally:request', (event) => {
    const { ctx } = (event as CustomEvent).detail
    const form = ctx?.sourceElement as HTMLElement | undefined
    if (form && !ctx?.hx?.redirect) delete form.dataset.sent
  })
  window.addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) delete form.dataset.sent
  })
  let isComingBack = false
  document.addEventListener('submit', ({ target }) => {
    isComingBack = (target as HTMLElement).dataset.comesBack !== undefined
  })
  window.addEventListener('pageshow', () => {
    isComingBack = false
  })
  window.addEventListener('beforeunload', (event) => {
    // Something beside the form is done, or was saved in a dialog, and the page comes back with what was typed.
    const isKept = isComingBack || document.querySelector('dialog[open] form[data-sent]') !== null
    if (saveDrafts(document, isKept ? 'kept' : 'left') && !isKept) event.preventDefault()
  })
}

/** The address of a form that was open in a dialog when the sign-in ran out, for the dialog to open it again. */
export function draftElsewhere(): string | null {
  const key = Object.keys(sessionStorage).find((key) => key.startsWith(ours()) && draftAt(key)?.reason === 'signed out')
  return key ? key.slice(ours().length) : null
}

function draftAt(key: string): Draft | null {
  const saved = sessionStorage.getItem(key)
  return saved ? (JSON.parse(saved) as Draft) : null
}

/** Fills the forms within `root` with what was kept for them. */
export function restoreDrafts(root: ParentNode) {
  for (const form of root.querySelectorAll<HTMLFormElement>('form[data-draft]')) restore(form)
}

function restore(form: HTMLFormElement) {
  const draft = draftAt(keyOf(form))
  if (!draft) return
  sessionStorage.removeItem(keyOf(form))
  for (const [name, value] of draft.fields) {
    const field = [...form.elements].filter(isTyped).find((field) => field.name === name)
    if (!field) continue
    if (isBox(field)) field.checked = value === 'true'
    else field.value = value
  }
  // It is saved against what it was typed against, so that nobody's change meanwhile is lost.
  for (const [name, value] of Object.entries(draft.opened)) {
    const field = hidden(form, name)
    if (field) field.value = value
  }
  if (!isDirty(form)) return
  // The next number that is typed or scanned takes the place of the one that came back.
  // A page that has just come may not have put the focus there yet.
  const first = form.contains(document.activeElement) ? document.activeElement : form.querySelector('input[autofocus]')
  if (first instanceof HTMLInputElement) {
    first.focus()
    first.select()
  }
  if (draft.reason === 'kept') return
  const startOver = () => form.reset()
  const ended = draft.reason === 'signed out' ? 'Your sign-in had ended. ' : ''
  showToast(`${ended}What you typed is back, and not saved yet.`, {
    tone: ended ? 'danger' : 'success',
    undo: startOver,
    label: 'Start over',
  })
}
