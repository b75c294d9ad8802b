import { showToast } from './toast'
import { changedFields, hidden, isBox, isTyped, OPENED } from './typed-fields'

/**
 * What was typed and not saved. It outlives a lost sign-in, a closed dialog and a page that was left: in this window it
 * is there again when its form is opened once more.
 */

const DRAFT = 'yardmaster-draft:'
/** Whoever signs in next in this window does not see what another had typed. */
const ours = () => `${DRAFT}${document.querySelector<HTMLElement>('[data-account]')?.dataset.account ?? ''}:`

/**
 * `signed out`: a form in place was refused for it. `kept`: the page came anew for something else that was done on it.
 * `sent`: a whole page took it along, and the next will say whether it arrived. `unsent`: it did not, for the sign-in
 * had ended. `unsure`: no page could say.
 */
type Reason = 'signed out' | 'left' | 'kept' | 'sent' | 'unsent' | 'unsure'
/** `opened` is what the form was typed against: the version of its record, and what that held. */
type Draft = { reason: Reason; fields: [name: string, value: string][]; opened: Record<string, string> }

/** The unit that a form for a new record was opened for, by a link that names it. */
const unitOf = (form: HTMLFormElement) =>
  hidden(form, 'version') || form.dataset.unsaved !== undefined
    ? ''
    : (form.querySelector<HTMLInputElement>('input[name=unit_number]')?.defaultValue ?? '')

// A form is posted to the address that also shows it; of several at one address each has a name of its own, and what
// was typed for one unit is nothing for another.
const keyOf = (form: HTMLFormElement, unit = unitOf(form)) =>
  ours() +
  new URL(form.action).pathname +
  (unit && `?${new URLSearchParams({ unit_number: unit })}`) +
  (form.dataset.draft && `#${form.dataset.draft}`)

const isOpen = (form: HTMLFormElement) => form.dataset.draft !== undefined && form.dataset.sent === undefined

/** Was something typed in the form that is not saved? */
export const isDirty = (form: HTMLFormElement) => isOpen(form) && changedFields(form).length > 0

const dirtyForms = (root: ParentNode) => [...root.querySelectorAll<HTMLFormElement>('form[data-draft]')].filter(isDirty)

/** Keeps what was typed in the forms within `root`. @returns whether there was anything */
export function saveDrafts(root: ParentNode, reason: Reason): boolean {
  const forms = dirtyForms(root)
  for (const form of forms) saveDraft(form, reason)
  return forms.length > 0
}

function saveDraft(form: HTMLFormElement, reason: Reason) {
  const fields = changedFields(form).map((field): [string, string] => [
    field.name,
    isBox(field) ? String(field.checked) : field.value,
  ])
  const opened = Object.fromEntries(
    OPENED.flatMap((name) => (hidden(form, name) ? [[name, hidden(form, name)?.value ?? '']] : [])),
  )
  sessionStorage.setItem(keyOf(form), JSON.stringify({ reason, fields, opened } satisfies Draft))
}

/** A page that came says whether what was sent before it arrived. */
function settleSent() {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isLogin = location.pathname === '/login'
  // Another page came because the form was taken, or one that says what was done.
  const isOther = navigation?.type === 'navigate' && !document.querySelector('.notice-page')
  const isTaken = !isLogin && (isOther || document.querySelector('[data-toast]') !== null)
  for (const key of Object.keys(sessionStorage).filter((key) => key.startsWith(DRAFT))) {
    const draft = draftAt(key)
    if (draft?.reason !== 'sent') continue
    if (isTaken) sessionStorage.removeItem(key)
    else
      sessionStorage.setItem(key, JSON.stringify({ ...draft, reason: isLogin ? 'unsent' : 'unsure' } satisfies Draft))
  }
  if (!isLogin) return
  // Held by the server since; it is sent from here, or left.
  for (const { action } of document.querySelectorAll<HTMLFormElement>('.notice-page form'))
    for (const key of Object.keys(sessionStorage).filter((key) => key.startsWith(DRAFT)))
      if (key.replace(/[?#].*/, '').endsWith(`:${new URL(action).pathname}`)) sessionStorage.removeItem(key)
}

export function keepDrafts() {
  settleSent()
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
    // Kept when somebody was about to leave and stayed; what is sent now is no draft any more.
    sessionStorage.removeItem(keyOf(form))
    if (!form.hasAttribute('hx-post') && isDirty(form)) saveDraft(form, 'sent')
    form.dataset.sent = ''
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
    // A number that is being scanned is no work to be lost.
    const isWork = dirtyForms(document).some((form) => !form.querySelector('[data-scan]'))
    if (saveDrafts(document, isKept ? 'kept' : 'left') && isWork && !isKept) event.preventDefault()
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

/** The page with as many rows as the draft has typed in, when it came with fewer; null when all have their place. */
function withItsRows(form: HTMLFormElement, { fields }: Draft): string | null {
  const table = form.querySelector<HTMLElement>('table[data-most]')
  const most = Number(table?.dataset.most ?? 0)
  const first = Number(table?.querySelector('tbody th')?.textContent ?? 1)
  const last = Math.max(...fields.map(([name]) => Number(/^cell\.(\d+)\./.exec(name)?.[1] ?? 0)), 0)
  const rows = last - first + 1
  const address = new URL(location.href)
  if (rows > most || rows <= 0 || form.querySelector(`[name^="cell.${last}."]`)) return null
  address.searchParams.set('rows', String(rows))
  return address.href
}

function restore(form: HTMLFormElement) {
  const draft = draftAt(keyOf(form))
  if (!draft) return
  const larger = withItsRows(form, draft)
  if (larger) return location.replace(larger)
  sessionStorage.removeItem(keyOf(form))
  // The first of a name is the one that was typed in.
  const fields = new Map(
    [...form.elements]
      .filter(isTyped)
      .reverse()
      .map((field) => [field.name, field]),
  )
  for (const [name, value] of draft.fields) {
    const field = fields.get(name)
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
  const isUnsure = draft.reason === 'unsure'
  const ended = draft.reason === 'signed out' || draft.reason === 'unsent' ? 'Your sign-in had ended. ' : ''
  const said = isUnsure
    ? 'What you sent may have arrived: look before you send it again. It is back here.'
    : `${ended}What you typed is back, and not saved yet.`
  showToast(said, {
    tone: ended || isUnsure ? 'danger' : 'success',
    undo: startOver,
    label: 'Start over',
  })
}
