import type { ReactNode } from 'react'
import { type Stamped, Stamps } from './facts'

/** What a form shows: the typed or stored values, and what was wrong with them. */
export type FormState = {
  values: Record<string, unknown>
  refusal?: { message: string; errors?: { field: string; message: string }[] } | undefined
  /** What someone else stored meanwhile, by field label, when an edit was stale. */
  changedSince?: { label: string; value: string }[] | undefined
}

type FieldProps = { form: FormState; name: string; label: string; required?: boolean; hint?: string; wide?: boolean }

const fieldValue = (form: FormState, name: string) => {
  const value = form.values[name]
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value)
}
const errorOf = (form: FormState, name: string) => form.refusal?.errors?.find((error) => error.field === name)?.message

function Frame({ form, name, label, required, hint, wide, children }: FieldProps & { children: ReactNode }) {
  const error = errorOf(form, name)
  return (
    <div className={`field${wide ? ' field-wide' : ''}${error ? ' field-wrong' : ''}`}>
      <label htmlFor={name}>
        {label}
        {required && (
          <span className="required" aria-hidden="true">
            {' '}
            *
          </span>
        )}
      </label>
      {hint && (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {children}
    </div>
  )
}

const described = ({ form, name, hint, required }: FieldProps) => {
  const ids = [hint && `${name}-hint`, errorOf(form, name) && `${name}-error`].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    'aria-describedby': ids || undefined,
    'aria-invalid': errorOf(form, name) ? true : undefined,
    'aria-required': required || undefined,
  } as const
}

type InputProps = FieldProps & {
  type?: 'text' | 'date' | 'email' | 'tel' | 'password' | 'number'
  max?: number
  inputMode?: 'numeric' | 'decimal' | 'text'
  step?: string
  autoComplete?: string
  readOnly?: boolean
  autoFocus?: boolean
  upper?: boolean
  list?: string[]
  placeholder?: string
}

export function Input({ type = 'text', max, inputMode, step, autoComplete = 'off', readOnly, autoFocus, upper, list, placeholder, ...field }: InputProps) {
  return (
    <Frame {...field}>
      <input
        {...described(field)}
        type={type}
        maxLength={max}
        inputMode={inputMode}
        step={step}
        autoComplete={autoComplete}
        readOnly={readOnly}
        autoFocus={autoFocus}
        placeholder={placeholder}
        data-upper={upper ? '' : undefined}
        list={list ? `${field.name}-list` : undefined}
        defaultValue={type === 'password' ? '' : fieldValue(field.form, field.name)}
      />
      {list && (
        <datalist id={`${field.name}-list`}>
          {list.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </Frame>
  )
}

export const UnitNumberInput = (props: Omit<InputProps, 'name' | 'label'>) => (
  <Input {...props} name="unit_number" label="Unit number" required max={6} inputMode="numeric" hint="6 digits" />
)
export const MoneyInput = (props: InputProps) => <Input inputMode="decimal" placeholder="0.00" {...props} />

export function TextArea({ rows = 3, max, ...field }: FieldProps & { rows?: number; max?: number }) {
  return (
    <Frame {...field}>
      <textarea {...described(field)} rows={rows} maxLength={max} defaultValue={fieldValue(field.form, field.name)} />
    </Frame>
  )
}

export type Option = { value: string | number; label: string }
export const optionsOf = (words: readonly string[]): Option[] => words.map((word) => ({ value: word, label: word }))

export function Select({ options, blank, ...field }: FieldProps & { options: Option[]; blank?: string }) {
  return (
    <Frame {...field}>
      <select {...described(field)} defaultValue={fieldValue(field.form, field.name)}>
        {blank !== undefined && <option value="">{blank}</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** Keeps a stored choice on offer when it was deactivated meanwhile. */
export function withStored(options: Option[], form: FormState, idField: string, nameField: string): Option[] {
  const [id, name] = [form.values[idField], form.values[nameField]]
  const isMissing = typeof id === 'number' && typeof name === 'string' && !options.some((option) => option.value === id)
  return isMissing ? [...options, { value: id, label: `${name} (inactive)` }] : options
}

/** A box to tick. The hidden field says "no" when it is not. */
export function Check({ form, name, label, hint }: FieldProps) {
  const error = errorOf(form, name)
  return (
    <div className="field field-check">
      <input type="hidden" name={name} value="false" />
      <input
        type="checkbox"
        id={name}
        name={name}
        value="true"
        defaultChecked={['true', 'on', '1'].includes(fieldValue(form, name))}
        aria-describedby={hint ? `${name}-hint` : undefined}
      />
      <label htmlFor={name}>{label}</label>
      {hint && (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && <p className="field-error">{error}</p>}
    </div>
  )
}

/** What is wrong, above the form, each line leading to its field. */
export function ErrorSummary({ form }: { form: FormState }) {
  const { refusal, changedSince } = form
  if (!refusal) return null
  return (
    <div className="error-summary" role="alert" tabIndex={-1} data-error-summary="">
      <h2>{refusal.errors?.length ? 'Please check these fields' : refusal.message}</h2>
      {refusal.errors && refusal.errors.length > 0 && (
        <ul>
          {refusal.errors.map(({ field, message }) => (
            <li key={field}>
              <a href={`#${field}`}>{message}</a>
            </li>
          ))}
        </ul>
      )}
      {changedSince && (
        <>
          <p>What you typed is below and not saved. Stored now is:</p>
          <dl className="changed-since">
            {changedSince.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <p>Save again to put your values in their place, or cancel to keep what is stored.</p>
        </>
      )}
    </div>
  )
}

/** A stored record says who made and changed it; what was typed does not. */
const isStamped = (values: object): values is Stamped => 'created_at' in values && values.created_at instanceof Date && 'updated_at' in values

type FormProps = {
  action: string
  /** The table of the record that it edits, for the link to its history. */
  entity?: string
  form: FormState
  submit: string
  /** A second way to submit, which sends `name=value` along. */
  also?: { name: string; value: string; label: string } | undefined
  cancel?: string
  busy?: string
  danger?: boolean
  /** Always answered with a whole page, for what comes back is more than the form. */
  isWhole?: boolean
  children?: ReactNode
}

/**
 * A form with its buttons. Plain HTML posts it; in a dialog htmx does, and swaps the form itself when it is refused.
 */
export function Form({ action, entity, form, submit, also, cancel, busy = 'Saving...', danger, isWhole, children }: FormProps) {
  const version = fieldValue(form, 'version')
  return (
    <form
      className="form"
      method="post"
      action={action}
      {...(isWhole ? {} : { 'hx-post': action, 'hx-target': 'this', 'hx-select': 'form.form', 'hx-swap': 'outerHTML', 'hx-sync': 'this:drop' })}
      data-busy={busy}
      data-draft=""
      noValidate
    >
      <ErrorSummary form={form} />
      {version && <input type="hidden" name="version" value={version} />}
      <div className="fields">{children}</div>
      <div className="form-buttons">
        <button type="submit" className={`button ${danger ? 'button-danger' : 'button-primary'}`}>
          {submit}
        </button>
        {also && (
          <button type="submit" className="button" name={also.name} value={also.value}>
            {also.label}
          </button>
        )}
        {cancel && (
          <a className="button" href={cancel} data-close-modal="">
            Cancel
          </a>
        )}
      </div>
      {entity && isStamped(form.values) && <Stamps record={form.values} entity={entity} />}
    </form>
  )
}
