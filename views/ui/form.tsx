import type { ReactNode } from 'react'
import { isCost } from '../../src/platform/costs'
import { areCostsSeen } from '../costs'
import { CurrentPassword } from './current-password'
import { ErrorSummary } from './error-summary'
import { type Stamped, Stamps } from './facts'
import { errorOf, type FormState, fieldValue } from './form-state'

/** What the form was opened with, so that a stale edit can tell what was typed from what was only there. */
function openedWith({ values, refusal }: FormState): string {
  if (typeof values.was === 'string') return values.was
  const plain = Object.entries(values).filter(
    ([name, value]) => (value === null || typeof value !== 'object') && (areCostsSeen() || !isCost(name)),
  )
  return refusal ? '' : JSON.stringify(Object.fromEntries(plain))
}

/** A stored record says who made and changed it; what was typed does not. */
const isStamped = (values: object): values is Stamped =>
  'created_at' in values && values.created_at instanceof Date && 'updated_at' in values

/** A second way to submit: what was entered is saved, and the form is there for the next one. */
const NEXT = 'next'
export const andAnother = (label: string, isFirst = false) => ({ name: NEXT, label, isFirst })
/** Was a form submitted that way? */
export const isFollowed = (form: Record<string, unknown>) => typeof form[NEXT] === 'string' && form[NEXT] !== ''

type FormProps = {
  action: string
  /** The table of the record that it edits, for the link to its history. */
  entity?: string
  form: FormState
  submit: string
  /** A second way to submit, which sends its label as `name`. */
  also?: { name: string; label: string /** Enter does this one. */; isFirst?: boolean } | undefined
  cancel?: string
  busy?: string
  danger?: boolean
  /** The main thing of its page is another. */
  isAside?: boolean
  /** Always answered with a whole page, for what comes back is more than the form. */
  isWhole?: boolean
  /** What tells it from other forms at its address, so that what is typed in one does not stand in another. */
  draft?: string
  /** It has a field for the current password of its own; others show one once it is asked for. */
  hasPassword?: boolean
  /** One of its fields is a file. */
  hasFile?: boolean
  /** What stands below the buttons and changes with the form. */
  below?: ReactNode
  children?: ReactNode
}

type DoneProps = { list: string; another?: string | undefined; children: ReactNode }

/** Stands where the form stood, once it was taken, when there is more to say than a message can. */
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
 * A form with its buttons. Plain HTML posts it; in a dialog htmx does, and swaps the form itself when it is refused.
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
  const seen = form.refusal?.seen
  // Whoever saves anyway goes on with what they had pressed.
  const isAgain = seen !== undefined && also !== undefined && fieldValue(form, also.name) !== ''
  // Where it is not the first it is no button: what presses "the button" of a form means the other.
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
            // The answer may be a page with more forms than this one.
            'hx-select': `form.form[action="${action}"], .form-done`,
            'hx-swap': 'outerHTML',
            'hx-sync': 'this:drop',
          })}
      data-busy={busy}
      // The form for the next one takes its place, with nothing in it of what is typed meanwhile.
      data-busy-locks={also?.name === NEXT ? '' : undefined}
      data-draft={draft}
      data-unsaved={form.refusal ? '' : undefined}
      noValidate
      // Back must not put old text over a newer version; drafts keep what was not saved.
      autoComplete="off"
    >
      <ErrorSummary form={form} />
      {version && <input type="hidden" name="version" value={version} />}
      {version && <input type="hidden" name="was" value={openedWith(form)} />}
      {back && <input type="hidden" name="back" value={back} />}
      {seen && <input type="hidden" name="warnings_seen" value={seen} />}
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
          {seen ? 'Save anyway' : submit}
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
