import type { ReactNode } from 'react'
import type { DataType } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { errorOf, type FormState, fieldValue } from './form-state'

type FieldProps = {
  form: FormState
  name: string
  label: string
  required?: boolean
  hint?: string
  hidden?: boolean | undefined
  /** Width: `true` for the whole form, `double` for two columns. */
  wide?: boolean | 'double'
}

const WIDTHS: Record<string, string> = { true: ' field-wide', double: ' field-double' }

function Frame({ form, name, label, required, hint, hidden, wide, children }: FieldProps & { children: ReactNode }) {
  const error = errorOf(form, name)
  return (
    <div className={`field${WIDTHS[String(wide)] ?? ''}${error ? ' field-wrong' : ''}`} hidden={hidden}>
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

const describedBy = ({ form, name, hint, required }: FieldProps) => {
  const ids = [hint && `${name}-hint`, errorOf(form, name) && `${name}-error`].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    'aria-describedby': ids || undefined,
    'aria-invalid': errorOf(form, name) ? true : undefined,
    'aria-required': required || undefined,
  } as const
}

export type InputProps = FieldProps & {
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
  /**
   * True if a scanner fills in the field. After an error, the field's text is selected, so that the next scan replaces
   * it.
   */
  isScanned?: boolean
  /**
   * Change in a different field when the user fills in this field. For example, `status=Delivered` selects `Delivered`
   * in the select `status`, and `storage_fees_applicable` ticks the checkbox of this name.
   */
  ticks?: string
  /**
   * URL of details about the entered value, such as a unit number.
   * A script loads them into the element `#{name}-known` while the user types.
   */
  detailsUrl?: string | undefined
  /** Data type of the import that starts when several rows are pasted. */
  paste?: DataType | undefined
}

export function Input({
  type = 'text',
  max,
  inputMode,
  step,
  autoComplete = 'off',
  readOnly,
  autoFocus,
  upper,
  list,
  placeholder,
  isScanned,
  ticks,
  detailsUrl,
  paste,
  ...field
}: InputProps) {
  return (
    <Frame {...field}>
      <input
        {...describedBy(field)}
        type={type}
        maxLength={max}
        // Limit the year to four digits. Without this limit, browsers accept years of up to six digits, so users could
        // type too many digits by mistake.
        max={type === 'date' ? '9999-12-31' : undefined}
        inputMode={inputMode}
        step={step}
        autoComplete={autoComplete}
        readOnly={readOnly}
        autoFocus={autoFocus}
        placeholder={placeholder}
        data-upper={upper ? '' : undefined}
        data-scan={isScanned ? '' : undefined}
        data-ticks={ticks}
        data-paste={paste}
        data-paste-to={paste && paths.files.paste}
        {...(detailsUrl
          ? {
              'hx-get': detailsUrl,
              'hx-trigger': 'load, input changed delay:200ms',
              'hx-target': `#${field.name}-known`,
              'hx-swap': 'innerHTML',
              'hx-sync': 'this:replace',
            }
          : {})}
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
  <Input {...props} name="unit_number" label="Unit number" required max={8} inputMode="numeric" hint="6 digits" />
)
export const FileInput = ({ accept, multiple, ...field }: FieldProps & { accept: string; multiple?: boolean }) => (
  <Frame {...field} wide>
    <input {...describedBy(field)} type="file" accept={accept} multiple={multiple} />
  </Frame>
)

type TextAreaProps = FieldProps & { rows?: number; max?: number; autoFocus?: boolean }
export function TextArea({ rows = 3, max, autoFocus, ...field }: TextAreaProps) {
  return (
    <Frame {...field}>
      <textarea
        {...describedBy(field)}
        rows={rows}
        maxLength={max}
        autoFocus={autoFocus}
        defaultValue={fieldValue(field.form, field.name)}
      />
    </Frame>
  )
}

export type Option = { value: string | number; label: string; data?: Record<`data-${string}`, string | number> }
export const optionsOf = (words: readonly string[]): Option[] => words.map((word) => ({ value: word, label: word }))

type SelectProps = FieldProps & {
  options: Option[]
  blank?: string
  /**
   * True if the page selects the vehicle's location in this field. The page does this after the user has entered a unit
   * number.
   */
  isPrefilled?: boolean
}

export function Select({ options, blank, isPrefilled, ...field }: SelectProps) {
  return (
    <Frame {...field}>
      <select
        {...describedBy(field)}
        // The location of the vehicle may replace this value if the value comes from the previous record.
        data-prefilled={isPrefilled ? (field.form.refusal ? '' : fieldValue(field.form, field.name)) : undefined}
        defaultValue={fieldValue(field.form, field.name)}
      >
        {blank !== undefined && <option value="">{blank}</option>}
        {options.map(({ value, label, data }) => (
          <option key={value} value={value} {...data}>
            {label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** Adds the stored choice to the options if it is missing. It is missing if the chosen record was deactivated. */
export function withStored(options: Option[], form: FormState, idField: string, nameField: string): Option[] {
  const [id, name] = [form.values[idField], form.values[nameField]]
  const isMissing = typeof id === 'number' && typeof name === 'string' && !options.some((option) => option.value === id)
  return isMissing ? [...options, { value: id, label: `${name} (inactive)` }] : options
}

/**
 * Checkbox with a hidden field that sends `false` if not ticked. Without the hidden field, browsers would send nothing.
 */
export function Check({ form, name, label, hint, wide }: FieldProps) {
  const error = errorOf(form, name)
  return (
    <div className={`field field-check${wide ? ' field-wide' : ''}`}>
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
