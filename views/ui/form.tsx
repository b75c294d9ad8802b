import type { ReactNode } from 'react'
import { isCost } from '../../src/platform/costs'
import { areCostsSeen } from '../costs'
import { CurrentPassword } from './current-password'
import { ErrorSummary } from './error-summary'
import { type Stamped, Stamps } from './facts'
import { failureAttribute } from './failure-text'
import { errorOf, type FormState, fieldValue } from './form-state'

/**
 * Returns the values with which the form was opened, as JSON. After a stale edit, these values show which fields the
 * user changed.
 */
function openedValues({ values, refusal }: FormState): string {
  if (typeof values.was === 'string') return values.was
  const plain = Object.entries(values).filter(
    ([name, value]) => (value === null || typeof value !== 'object') && (areCostsSeen() || !isCost(name)),
  )
  return refusal ? '' : JSON.stringify(Object.fromEntries(plain))
}

/** True for a stored record. Values from a submitted form have no timestamps. */
const isStamped = (values: object): values is Stamped =>
  'created_at' in values && values.created_at instanceof Date && 'updated_at' in values

/** Name of a second submit button, which saves the record and continues with the next one. */
const NEXT = 'next'
export const andAnother = (label: string, isFirst = false) => ({ name: NEXT, label, isFirst })
/** True if the user submitted the form with the button from `andAnother`. */
export const isFollowed = (form: Record<string, unknown>) => typeof form[NEXT] === 'string' && form[NEXT] !== ''

type FormProps = {
  action: string
  /** Table of the edited record, for the link to its history. */
  entity?: string
  form: FormState
  submit: string
  /** A second submit button, which sends its label as `name`. */
  also?: { name: string; label: string /** Enter uses this button. */; isFirst?: boolean } | undefined
  cancel?: string
  busy?: string
  danger?: boolean
  /** True if another action is the main action of the page. */
  isAside?: boolean
  /** True if the server always responds with a whole page, because parts outside the form change too. */
  isWhole?: boolean
  /** Distinguishes the drafts of several forms at one URL. */
  draft?: string
  /**
   * True if the form has its own field for the current password. Other forms show such a field only when the password
   * is required.
   */
  hasPassword?: boolean
  hasFile?: boolean
  /** Content below the buttons, which is replaced together with the form. */
  below?: ReactNode
  children?: ReactNode
}

type DoneProps = { list: string; another?: string | undefined; children: ReactNode }

/** Replaces the form after saving, when the user must see more than a message. */
export const FormDone = ({ list, another, children }: DoneProps) => (
  <div className="form form-done" role="status">
    {children}
    <div className="form-buttons">
      <a className="button button-primary" href={list} data-close-modal="">
        Done
      </a>
      {another && (
        <a className="button" href={another} data-modal="">
          Add another
        </a>
      )}
    </div>
  </div>
)

/**
 * A form with its buttons. Without scripts, the browser posts the form. With scripts, htmx posts it and shows a refused
 * form in place, unless `isWhole` is set.
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
  const seenWarnings = form.refusal?.seen
  // "Save anyway" submits the name and value of the button that the user pressed before the warnings.
  const isAgain = seenWarnings !== undefined && also !== undefined && fieldValue(form, also.name) !== ''
  // The button is an `input` unless it comes first, because scripts treat the first `button[type=submit]` as the main
  // button.
  const second =
    also &&
    !isAgain &&
    (also.isFirst ? (
      <button type="submit" className="button button-primary" name={also.name} value={also.label}>
        {also.label}
      </button>
    ) : (
      <input type="submit" className="button" name={also.name} value={also.label} />
    ))
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
            // The response may be a page with several forms, so this selector picks the form with the same action.
            'hx-select': `form.form[action="${action}"], .form-done`,
            'hx-swap': 'outerHTML',
            'hx-sync': 'this:drop',
          })}
      data-busy={busy}
      {...failureAttribute(action)}
      // A form that can continue with the next record is locked while it is being sent. Otherwise, new input would be
      // lost when the form for the next record replaces this form.
      data-busy-locks={also?.name === NEXT ? '' : undefined}
      data-draft={draft}
      data-unsaved={form.refusal ? '' : undefined}
      noValidate
      // After Back, the browser must not restore old input, because the record may have a newer version. Drafts restore
      // unsaved input instead.
      autoComplete="off"
    >
      <ErrorSummary form={form} />
      {version && <input type="hidden" name="version" value={version} />}
      {version && <input type="hidden" name="was" value={openedValues(form)} />}
      {back && <input type="hidden" name="back" value={back} />}
      {seenWarnings && <input type="hidden" name="warnings_seen" value={seenWarnings} />}
      <div className="fields">
        {children}
        {!hasPassword && errorOf(form, 'current_password') && <CurrentPassword form={form} />}
      </div>
      <div className="form-buttons">
        {also?.isFirst && second}
        <button
          type="submit"
          className={`button ${danger ? 'button-danger' : isAside || (also?.isFirst && second) ? '' : 'button-primary'}`}
          {...(isAgain ? { name: also.name, value: fieldValue(form, also.name) } : {})}
        >
          {seenWarnings ? 'Save anyway' : submit}
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
