import type { ReactNode } from 'react'
import { fieldLabel } from '../../src/platform/field-label'
import { areCostsSeen } from '../costs'
import type { FormState } from './form-state'

/**
 * Adds the field name to error messages that need one. An example is `Must be a number`. In a grid, also adds the row
 * number.
 */
function addFieldName(field: string, message: string): string {
  if (!/^(Must|Is|At most|At least|Choose one|\d+)\b/.test(message)) return message
  const [, row, column] = /^cell\.(\d+)\.(\w+)$/.exec(field) ?? []
  // In the renewal table, a field name ends with the id of the registration, as in `cost.12`. Remove the id.
  return `${fieldLabel(column ?? field.replace(/\.\d+$/, ''))}${row ? `, row ${row}` : ''}: ${message}`
}

/** `children` is the button that saves in spite of warnings. */
export function ErrorSummary({ form, children }: { form: FormState; children?: ReactNode }) {
  const { refusal, changedSince } = form
  if (!refusal) return null
  return (
    <div
      className={`error-summary${refusal.warnings ? ' is-warning' : ''}`}
      role="alert"
      tabIndex={-1}
      data-error-summary=""
    >
      <h2>{refusal.errors?.length ? 'Please check these fields' : refusal.message}</h2>
      {refusal.warnings && (
        <ul className="warnings">
          {refusal.warnings.map(({ field, message }) => (
            <li key={message}>
              <a href={`#${field}`}>{message}</a>
            </li>
          ))}
        </ul>
      )}
      {refusal.errors && refusal.errors.length > 0 && (
        <ul>
          {refusal.errors.map(({ field, message }) => (
            <li key={field}>
              <a href={`#${field}`}>{addFieldName(field, message)}</a>
            </li>
          ))}
        </ul>
      )}
      {changedSince && <ChangedSince {...changedSince} />}
      {children}
    </div>
  )
}

function ChangedSince({ by, conflicts, otherChanges }: NonNullable<FormState['changedSince']>) {
  return (
    <>
      {conflicts.length > 0 && (
        <table className="table table-plain table-cards changed-since">
          <caption>Changed here and by {by}. Your changes are not saved yet.</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Your value</th>
              <th scope="col">Saved value</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ field, label, typed, stored, storedValue }) => (
              <tr key={field}>
                <th scope="row">{label}</th>
                <td data-label="Your value">
                  <label>
                    <input type="radio" name={`choice_${field}`} value="typed" defaultChecked /> {typed}
                  </label>
                </td>
                <td data-label="Saved value">
                  <label>
                    <input type="radio" name={`choice_${field}`} value="stored" data-choice={storedValue} /> {stored}
                  </label>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {otherChanges.length > 0 && (
        <p>
          Changed by {by} and kept when you save:{' '}
          {otherChanges.map(({ label, stored }) => `${label} ${stored}`).join(', ')}.
        </p>
      )}
      <p>
        {conflicts.length > 0
          ? 'Choose a value for each field and save again, or cancel to keep the saved values.'
          : areCostsSeen()
            ? 'Your changes are not saved yet. They do not conflict with the other changes. Save again to keep them.'
            : 'Save again to store your changes, or cancel. Saving may overwrite a cost that you cannot see.'}
      </p>
    </>
  )
}
