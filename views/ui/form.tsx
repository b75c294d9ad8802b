import type { ReactNode } from 'react'
import { isCost } from '../../src/platform/costs'
import { areCostsSeen } from '../costs'
import { CurrentPassword } from './current-password'
import { ErrorSummary } from './error-summary'
import { type Stamped, Stamps } from './facts'
import { failureAttribute } from './failure-text'
import { errorOf, type FormState, fieldValue } from './form-state'

/**
 * Returns the values of the form when it was opened, as JSON.
 * If another user saves the record first, these values are needed to find the fields that this user has changed.
 */
function openedValues({ values, refusal }: FormState): string {
  if (typeof values.was === 'string') return values.was
  const plain = Object.entries(values).filter(
    ([name, value]) => (value === null || typeof value !== 'object') && (areCostsSeen() || !isCost(name)),
  )
  return refusal ? '' : JSON.stringify(Object.fromEntries(plain))
}

/** Only stored records have timestamps. Submitted forms have none. */
const isStamped = (values: object): values is Stamped =>
  'created_at' in values && values.created_at instanceof Date && 'updated_at' in values

/** Name of a second submit button. It saves the record and opens an empty form for the next one. */
const NEXT = 'next'
export const andAnother = (verb: 'Add' | 'Create', isFirst = false) => ({
  name: NEXT,
  label: `${verb} and enter another`,
  isFirst,
})
/** True if the user pressed the second submit button. It saves the record and opens a form for the next one. */
export const isFollowed = (form: Record<string, unknown>) => typeof form[NEXT] === 'string' && form[NEXT] !== ''

type FormProps = {
  action: string
  /** Name of the record's database table. The link to the record's history contains it. */
  entity?: string
  form: FormState
  submit: string
  /** A second submit button. Its label is sent as the value of `name`. */
  also?: { name: string; label: string /** Enter presses this button. */; isFirst?: boolean } | undefined
  cancel?: string
  busy?: string
  danger?: boolean
  /** True if the main action of the page is outside the form. The submit button of the form is then less prominent. */
  isAside?: boolean
  /** True if the server always responds with a whole page. Needed if parts outside the form change too. */
  isWhole?: boolean
  /** Distinguishes the saved drafts of several forms with the same URL. Null if no draft is saved. */
  draft?: string | null
  /** True to always ask for the current password. All other forms ask for it only when the server requires it. */
  hasPassword?: boolean
  hasFile?: boolean
  /** Content below the buttons. When a response replaces the form, it replaces this content too. */
  below?: ReactNode
  children?: ReactNode
}

type DoneProps = { list: string; another?: string | undefined; children: ReactNode }

/** Content that replaces a saved form, such as a new password. Needed if the user must see more than a message. */
export const FormDone = ({ list, another, children }: DoneProps) => (
  <div className="form form-done" role="status" tabIndex={-1}>
    {children}
    <div className="form-buttons">
      <a className="button button-primary" href={list} data-close-modal="">
        Done
      </a>
      {another && (
        <a className="button" href={another} data-modal="">
          Enter another
        </a>
      )}
    </div>
  </div>
)

/**
 * Without scripts, the browser posts the form. With scripts, the htmx library posts it and shows errors in place,
 * unless `isWhole` is set.
 */
export function Form({
  action,
  entity,
  form,
  submit,
  also,
  cancel,
  busy = 'Saving...',
  danger,
  isAside,
  isWhole,
  draft = '',
  hasPassword,
  hasFile,
  below,
  children,
}: FormProps) {
  const version = fieldValue(form, 'version')
  const back = form.back ?? fieldValue(form, 'back')
  const seenWarnings = form.refusal?.warningKeys
  // True if the user pressed the form's second submit button and the response shows warnings. The button that saves in
  // spite of the warnings must then do the same as the second submit button.
  const isAgain = seenWarnings !== undefined && also !== undefined && fieldValue(form, also.name) !== ''
  // If the second submit button is not the main button, make it an `input`, because scripts treat the first
  // `button[type=submit]` as the main button.
  const second =
    also &&
    (also.isFirst ? (
      <button type="submit" className="button button-primary" name={also.name} value={also.label}>
        {also.label}
      </button>
    ) : (
      <input type="submit" className="button" name={also.name} value={also.label} />
    ))
  const isSecondary = isAside || (also?.isFirst && second)
  return (
    <form
      className="form"
      method="post"
      action={action}
      {...(hasFile ? { encType: 'multipart/form-data', 'hx-encoding': 'multipart/form-data' } : {})}
      {...(isWhole
        ? {}
        : {
            'hx-post': action,
            'hx-target': 'this',
            // The response can be a page with several forms. Select the form with the same `action` as this form.
            'hx-select': `form.form[action="${action}"], .form-done`,
            'hx-swap': 'outerHTML',
            'hx-sync': 'this:drop',
          })}
      data-busy={busy}
      {...failureAttribute(action)}
      // If a form for the next record will replace this form, lock the inputs while this form is being sent. Otherwise,
      // input that the user types in the meantime would be lost.
      data-busy-locks={also?.name === NEXT ? '' : undefined}
      data-draft={draft ?? undefined}
      data-unsaved={form.refusal ? '' : undefined}
      noValidate
      // Prevent the browser from restoring old input after Back, because the record may have changed. Drafts restore
      // unsaved input instead.
      autoComplete="off"
    >
      <ErrorSummary form={form}>
        {seenWarnings && <input type="hidden" name="warnings_seen" value={seenWarnings} />}
        {seenWarnings && (
          <button
            type="submit"
            className="button"
            {...(isAgain ? { name: also.name, value: fieldValue(form, also.name) } : {})}
          >
            {submit} anyway
          </button>
        )}
      </ErrorSummary>
      {version && <input type="hidden" name="version" value={version} />}
      {version && <input type="hidden" name="was" value={openedValues(form)} />}
      {back && <input type="hidden" name="back" value={back} />}
      <div className="fields">
        {children}
        {!hasPassword && errorOf(form, 'current_password') && <CurrentPassword form={form} />}
      </div>
      <div className="form-buttons">
        {also?.isFirst && second}
        <button type="submit" className={`button ${danger ? 'button-danger' : isSecondary ? '' : 'button-primary'}`}>
          {submit}
        </button>
        {!also?.isFirst && second}
        {cancel && (
          <a className="button" href={back || cancel} data-close-modal="">
            Cancel
          </a>
        )}
      </div>
      {entity && isStamped(form.values) && <Stamps record={form.values} entity={entity} />}
      {below}
    </form>
  )
}
