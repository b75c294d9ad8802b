import { fieldLabel } from '../../src/platform/field-label'
import type { ShownColumn } from '../../src/platform/imports/kinds'
import { showCount } from '../format'
import type { QuestionProps } from './question-props'

/**
 * Asks for default values of fields without a column in the file. A value applies to all rows.
 * Required fields are always visible. Optional fields are collapsed.
 */
export function Defaults({
  columns,
  found,
  defaults,
  locations,
  companies,
}: Pick<QuestionProps, 'columns' | 'found' | 'defaults' | 'locations' | 'companies'>) {
  const blankRows = new Map((found.blank ?? []).map(({ field, rows }) => [field, rows]))
  const isFree = ({ name }: { name: string }) =>
    name !== 'unit_number' && (!found.fields.includes(name) || blankRows.has(name) || defaults[name] !== undefined)
  const required = columns.required.filter(isFree)
  const optional = columns.optional.filter(isFree)
  if (required.length + optional.length === 0) return null
  // If exactly one location column is missing, suggest the location with the name of the sheet. Sheets are often named
  // after the location of their rows.
  const missingLocations = required.filter(({ name, kind }) => kind === 'location' && found.missing.includes(name))
  // A label consists of the name and the code, as in `Phoenix (PHX)`.
  const nameIn = (label: string) => label.replace(/ \([^()]*\)$/, '').toLowerCase()
  const ofSheet = locations.find(({ label }) => nameIn(label) === found.sheet?.trim().toLowerCase())?.label ?? ''
  const suggested = missingLocations.length === 1 ? ofSheet : ''
  const field = ({ name, kind, words, rowDefaults = [] }: ShownColumn) => (
    <DefaultField
      key={name}
      name={name}
      blankRows={blankRows.get(name) ?? 0}
      value={defaults[name] ?? (kind === 'location' && found.missing.includes(name) ? suggested : '')}
      isMissing={found.missing.includes(name)}
      choices={
        words ?? (kind === 'location' ? locations : kind === 'company' ? companies : []).map(({ label }) => label)
      }
      isDate={kind === 'date'}
      computed={rowDefaults.flatMap(({ label, from }) => (found.fields.includes(from) ? [label] : []))}
    />
  )
  return (
    <fieldset className="defaults">
      <legend>One value for all rows</legend>
      <p className="hint">Used for fields that have no column in the file, and for blank cells of required columns.</p>
      <input type="hidden" name="defaults" value="1" />
      <div className="fields">{required.map(field)}</div>
      {optional.length > 0 && (
        <details open={optional.some(({ name }) => defaults[name])}>
          <summary>Optional fields that have no column in the file</summary>
          <div className="fields">{optional.map(field)}</div>
        </details>
      )}
    </fieldset>
  )
}

type DefaultFieldProps = {
  name: string
  /** Number of rows whose cell for this field is blank. Zero if the file has no column for the field. */
  blankRows: number
  value: string
  isMissing: boolean
  choices: readonly string[]
  isDate: boolean
  /**
   * Choices whose value is computed from a different column. The value is computed for each row. An example is `One
   * year before it expires`.
   */
  computed: string[]
}

function DefaultField({ name, blankRows, value, isMissing, choices, isDate, computed }: DefaultFieldProps) {
  const id = `default-${name}`
  const props = { id, name: `default.${name}`, defaultValue: value, 'aria-invalid': isMissing || undefined }
  return (
    <div className="field">
      <label htmlFor={id}>
        {fieldLabel(name)}
        {blankRows > 0 && ` (blank in ${showCount(blankRows)} ${blankRows === 1 ? 'row' : 'rows'})`}
      </label>
      {choices.length > 0 ? (
        <select {...props}>
          <option value="">{isMissing ? 'Choose…' : 'No value'}</option>
          {value && ![...choices, ...computed].includes(value) && <option value={value}>{value}</option>}
          {[...computed, ...choices].map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <>
          <input
            {...props}
            maxLength={200}
            autoComplete="off"
            placeholder={isDate ? 'M/D/YYYY' : undefined}
            list={computed.length > 0 ? `${id}-list` : undefined}
            aria-describedby={computed.length > 0 ? `${id}-hint` : undefined}
          />
          {computed.length > 0 && (
            <>
              <datalist id={`${id}-list`}>
                {computed.map((choice) => (
                  <option key={choice} value={choice} />
                ))}
              </datalist>
              <p className="hint" id={`${id}-hint`}>
                A date, or “{computed.join('” or “')}”
              </p>
            </>
          )}
        </>
      )}
    </div>
  )
}
