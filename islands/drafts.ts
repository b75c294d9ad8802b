import { openGroup } from './fields'
import { showToast } from './toast'
import { changedFields, hidden, isBox, isTyped, OPENED } from './typed-fields'

/**
 * Drafts of unsaved input, in the session storage of this window. A draft survives the end of the session, closing the
 * dialog and leaving the page. It is restored when the form opens again, unless the user discards it.
 */

const DRAFT = 'yardmaster-draft:'
/**
 * Start of a draft's storage key.
 * It contains the account, so that the next user of this window does not see the draft.
 */
const keyPrefix = () => `${DRAFT}${document.querySelector<HTMLElement>('[data-account]')?.dataset.account ?? ''}:`

/**
 * Why a draft was stored.
 * - `signed out`: the htmx library sent the form, but the session had ended.
 * - `left`: the user left the page or closed the dialog.
 * - `kept`: the page reloads because the user sent another form or saved a form in a dialog. After the reload, the page
 *   restores the draft.
 * - `sent`: the browser sent the form and is loading the next page.
 * - `unsent`: the browser sent the form, but the session had ended.
 * - `unsure`: the browser sent the form, and it is unknown whether the form was saved.
 */
type Reason = 'signed out' | 'left' | 'kept' | 'sent' | 'unsent' | 'unsure'
/** A draft of a form. `opened` contains the version and the values of the record when the form was opened. */
type Draft = { reason: Reason; fields: [name: string, value: string][]; opened: Record<string, string> }

/**
 * Returns the unit number that a link prefilled for a new record. Empty for other forms. In a rejected form, the unit
 * number is the rejected input. In that case, the dialog around the form knows the prefilled one.
 */
export function unitOf(form: HTMLFormElement): string {
  if (hidden(form, 'version')) return ''
  if (form.dataset.unsaved !== undefined) return form.closest<HTMLElement>('[data-unit]')?.dataset.unit ?? ''
  return form.querySelector<HTMLInputElement>('input[name=unit_number]')?.defaultValue ?? ''
}

// Storage key of a draft, such as `yardmaster-draft:ann:/transports/new?unit_number=100200`. The form's page has the
// same path as the form's `action` URL. `data-draft` distinguishes forms with the same path. The unit number
// distinguishes drafts of new records.
const keyOf = (form: HTMLFormElement, unit = unitOf(form)) =>
  keyPrefix() +
  new URL(form.action).pathname +
  (unit && `?${new URLSearchParams({ unit_number: unit })}`) +
  (form.dataset.draft && `#${form.dataset.draft}`)

const isOpen = (form: HTMLFormElement) => form.dataset.draft !== undefined && form.dataset.sent === undefined

export const isDirty = (form: HTMLFormElement) => isOpen(form) && changedFields(form).length > 0

const dirtyForms = (root: ParentNode) => [...root.querySelectorAll<HTMLFormElement>('form[data-draft]')].filter(isDirty)

export function saveDrafts(root: ParentNode, reason: Reason) {
  for (const form of dirtyForms(root)) saveDraft(form, reason)
}

function saveDraft(form: HTMLFormElement, reason: Reason) {
  // The URL can prefill fields of a new record, such as the date of the record before. The form can be opened again
  // without these parameters, so the draft contains these fields too.
  const prefilled = new URLSearchParams(location.search)
  const fields = changedFields(form, prefilled).map((field): [string, string] => [
    field.name,
    isBox(field) ? String(field.checked) : field.value,
  ])
  const opened = Object.fromEntries(
    OPENED.flatMap((name) => (hidden(form, name) ? [[name, hidden(form, name)?.value ?? '']] : [])),
  )
  sessionStorage.setItem(keyOf(form), JSON.stringify({ reason, fields, opened } satisfies Draft))
}

/**
 * Updates the drafts of sent forms after the next page has loaded.
 * The draft of a saved form is removed. Otherwise, its reason changes from `sent` to `unsent` or `unsure`.
 */
function settleSent() {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isLogin = location.pathname === '/login'
  // The form was saved if a new page without an error opened, or if this page reports the result in a message.
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
  // Remove the drafts of forms that the server has stored. The sign-in page offers to send or discard these forms.
  for (const { action } of document.querySelectorAll<HTMLFormElement>('.notice-page form'))
    for (const key of Object.keys(sessionStorage).filter((key) => key.startsWith(DRAFT)))
      if (key.replace(/[?#].*/, '').endsWith(`:${new URL(action).pathname}`)) sessionStorage.removeItem(key)
}

export function keepDrafts() {
  let isComingBack = false
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
  // Mark a form as sent, so that leaving the page does not store a draft of it.
  document.addEventListener('submit', ({ target, defaultPrevented }) => {
    const form = target as HTMLFormElement
    if (form.dataset.draft === undefined || (defaultPrevented && !form.hasAttribute('hx-post'))) return
    // Remove an older draft. It was stored when the user started to leave the page but then stayed.
    sessionStorage.removeItem(keyOf(form))
    if (!form.hasAttribute('hx-post') && isDirty(form)) saveDraft(form, 'sent')
    form.dataset.sent = ''
  })
  document.addEventListener('htmx:finally:request', (event) => {
    const { ctx } = (event as CustomEvent).detail
    const form = ctx?.sourceElement as HTMLElement | undefined
    if (!form || ctx?.hx?.redirect) return
    delete form.dataset.sent
    isComingBack = false
  })
  window.addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-draft]')) delete form.dataset.sent
  })
  document.addEventListener('submit', ({ target }) => {
    const form = target as HTMLFormElement
    // Forms on the page of a record, such as a new note, return to this page.
    isComingBack =
      form.dataset.comesBack !== undefined || new URL(form.action).pathname.startsWith(`${location.pathname}/`)
  })
  window.addEventListener('pageshow', () => {
    isComingBack = false
  })
  window.addEventListener('beforeunload', (event) => {
    // Do not warn if the page reloads because another form was sent, or because a form in a dialog was saved. The
    // reloaded page restores the drafts.
    const isKept = isComingBack || document.querySelector('dialog[open] form[data-sent]') !== null
    // Do not warn about text in a scan field, because the user can simply scan again.
    const isWork = dirtyForms(document).some((form) => !form.querySelector('[data-scan]'))
    saveDrafts(document, isKept ? 'kept' : 'left')
    if (isWork && !isKept) event.preventDefault()
  })
}

/** URL of a form that was not saved because the session ended. The caller opens this form in a dialog. */
export function draftElsewhere(): string | null {
  const key = Object.keys(sessionStorage).find(
    (key) => key.startsWith(keyPrefix()) && draftAt(key)?.reason === 'signed out',
  )
  return key ? key.slice(keyPrefix().length) : null
}

function draftAt(key: string): Draft | null {
  const saved = sessionStorage.getItem(key)
  return saved ? (JSON.parse(saved) as Draft) : null
}

export function restoreDrafts(root: ParentNode) {
  for (const form of root.querySelectorAll<HTMLFormElement>('form[data-draft]')) restore(form)
}

/**
 * Returns a URL of this page with enough rows for a draft.
 * Returns null if the page already has enough rows, or if the draft needs more rows than the table allows.
 */
function urlWithRows(form: HTMLFormElement, { fields }: Draft): string | null {
  const table = form.querySelector<HTMLElement>('table[data-most]')
  const maxRows = Number(table?.dataset.most ?? 0)
  const first = Number(table?.querySelector('tbody th')?.textContent ?? 1)
  const last = Math.max(...fields.map(([name]) => Number(/^cell\.(\d+)\./.exec(name)?.[1] ?? 0)), 0)
  const rows = last - first + 1
  const address = new URL(location.href)
  if (rows > maxRows || rows <= 0 || form.querySelector(`[name^="cell.${last}."]`)) return null
  address.searchParams.set('rows', String(rows))
  return address.href
}

function restore(form: HTMLFormElement) {
  const draft = draftAt(keyOf(form))
  if (!draft) return
  const larger = urlWithRows(form, draft)
  if (larger) return location.replace(larger)
  sessionStorage.removeItem(keyOf(form))
  // If several fields have the same name, use the first one, because it contains the typed value.
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
    openGroup(field)
  }
  // Restore the version of the record on which the draft is based. With the current version, saving could overwrite a
  // change that another user has made since.
  for (const [name, value] of Object.entries(draft.opened)) {
    const field = hidden(form, name)
    if (field) field.value = value
  }
  if (!isDirty(form)) return
  // Select the restored text, so that the next scanned or typed number replaces it. Focus the field first, because on a
  // new page the browser may not have focused it yet.
  const first = form.contains(document.activeElement) ? document.activeElement : form.querySelector('input[autofocus]')
  if (first instanceof HTMLInputElement) {
    first.focus()
    first.select()
  }
  if (draft.reason === 'kept') return
  const startOver = () => form.reset()
  const isUnsure = draft.reason === 'unsure'
  const ended = draft.reason === 'signed out' || draft.reason === 'unsent' ? 'Your session had expired. ' : ''
  const message = isUnsure
    ? 'Your input was restored. The record may already be saved. Check it before you submit again.'
    : `${ended}Your input was restored but is not saved yet.`
  showToast(message, {
    tone: ended || isUnsure ? 'danger' : 'success',
    // The page may report a change that was saved just before.
    keepsOthers: true,
    undo: startOver,
    label: 'Start over',
  })
}
