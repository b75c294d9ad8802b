import { openGroup } from './fields'
import { showToast } from './toast'
import { changedFields, hidden, isBox, isTyped, OPENED } from './typed-fields'

/**
 * Drafts of unsaved input, in the session storage of this window. A draft survives an ended session, a closed dialog
 * and leaving the page. It is restored when its form opens again.
 */

const DRAFT = 'yardmaster-draft:'
/** Returns the key prefix. It contains the account, so that the next user of this window does not see the drafts. */
const keyPrefix = () => `${DRAFT}${document.querySelector<HTMLElement>('[data-account]')?.dataset.account ?? ''}:`

/**
 * The reason why a draft was stored.
 * - `signed out`: the session had ended when htmx sent the form, so the form was refused.
 * - `left`: the user left the page or closed the dialog.
 * - `kept`: another action reloads the page that contains the form.
 * - `sent`: the browser submitted the form and loads a new page, which shows the outcome.
 * - `unsent`: the form was not saved, because the session had ended.
 * - `unsure`: it is unknown whether the form was saved.
 */
type Reason = 'signed out' | 'left' | 'kept' | 'sent' | 'unsent' | 'unsure'
/** `opened` contains the hidden fields of the form: the version and values of the record when the form was opened. */
type Draft = { reason: Reason; fields: [name: string, value: string][]; opened: Record<string, string> }

/** Returns the unit number that a link prefilled in the form of a new record. Otherwise returns an empty string. */
const unitOf = (form: HTMLFormElement) =>
  hidden(form, 'version') || form.dataset.unsaved !== undefined
    ? ''
    : (form.querySelector<HTMLInputElement>('input[name=unit_number]')?.defaultValue ?? '')

// The key contains the URL to which the form is posted, because the page with the form has the same URL. `data-draft`
// distinguishes several forms at one URL. The unit number distinguishes drafts for different units.
const keyOf = (form: HTMLFormElement, unit = unitOf(form)) =>
  keyPrefix() +
  new URL(form.action).pathname +
  (unit && `?${new URLSearchParams({ unit_number: unit })}`) +
  (form.dataset.draft && `#${form.dataset.draft}`)

const isOpen = (form: HTMLFormElement) => form.dataset.draft !== undefined && form.dataset.sent === undefined

export const isDirty = (form: HTMLFormElement) => isOpen(form) && changedFields(form).length > 0

const dirtyForms = (root: ParentNode) => [...root.querySelectorAll<HTMLFormElement>('form[data-draft]')].filter(isDirty)

/**
 * Stores drafts of the changed forms within `root`.
 * @returns true if any form was changed
 */
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

/** Removes a draft with reason `sent` if its form was saved. Otherwise changes the reason to `unsent` or `unsure`. */
function settleSent() {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isLogin = location.pathname === '/login'
  // The form was saved if a new page without an error notice has opened, or if this page reports the result in a toast.
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
  // The server stored these forms when the session ended. Remove their drafts, because the user submits or discards the
  // forms on this page.
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
  // Mark a submitted form as sent, so that leaving the page does not store a draft with the reason `left`. If the form
  // is refused, the mark is removed.
  document.addEventListener('submit', ({ target, defaultPrevented }) => {
    const form = target as HTMLFormElement
    if (form.dataset.draft === undefined || (defaultPrevented && !form.hasAttribute('hx-post'))) return
    // The form is now being sent, so remove any draft from an earlier attempt to leave the page.
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
    // The page reloads after another action or after a save in a dialog, and then restores the drafts.
    const isKept = isComingBack || document.querySelector('dialog[open] form[data-sent]') !== null
    // Do not warn about input in a scan field, because the user can scan again.
    const isWork = dirtyForms(document).some((form) => !form.querySelector('[data-scan]'))
    if (saveDrafts(document, isKept ? 'kept' : 'left') && isWork && !isKept) event.preventDefault()
  })
}

/**
 * Returns the URL of a form that could not be saved because the session had ended, or null. The caller opens the form's
 * dialog again.
 */
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
 * Returns the page's URL with enough table rows for the draft. Returns null if the page already has enough rows, or if
 * the draft exceeds the table's maximum.
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
  // If several fields share a name, use the first field, because it contains the typed value.
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
  // Restore the record version on which the draft is based. Otherwise, saving could overwrite another user's later
  // change.
  for (const [name, value] of Object.entries(draft.opened)) {
    const field = hidden(form, name)
    if (field) field.value = value
  }
  if (!isDirty(form)) return
  // Select the restored number, so that the next typed or scanned number replaces it. Focus the field first, because
  // the browser may not have focused it yet on a page that has just loaded.
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
    ? 'Your input is back in the form. It may already have been saved: check before you submit it again.'
    : `${ended}Your input was restored. It is not saved yet.`
  showToast(message, {
    tone: ended || isUnsure ? 'danger' : 'success',
    undo: startOver,
    label: 'Start over',
  })
}
