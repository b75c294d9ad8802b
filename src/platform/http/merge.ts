import type { Db } from '../../../db/client'
import { changedValue } from '../../../views/changed-value'
import type { FormState } from '../../../views/ui/form-state'
import { loadChangeNames } from '../audit/queries'
import { fieldLabel } from '../field-label'
import { STAMPS } from '../records/stamps'

const NOT_SHOWN = new Set([...STAMPS, 'password_hash'])
const asText = (value: unknown) =>
  value === null || value === undefined ? '' : value instanceof Date ? value.toISOString() : String(value).trim()
const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)
const isFieldValue = (value: unknown) => (Array.isArray(value) ? value.every(isPlain) : isPlain(value))

/** Maximum length of the hidden form field `was`. No record is longer, and parsing longer text could take seconds. */
const OPENED_LIMIT = 200_000

/**
 * Returns the values that the form had when it was opened.
 * They come from the hidden field `was`. A field that is missing in `was` counts as edited. `was` is untrusted input,
 * so values that no field can have are omitted.
 */
function readOpenedValues({ was }: Record<string, unknown>): Record<string, unknown> {
  try {
    const opened: unknown = JSON.parse(String(was).slice(0, OPENED_LIMIT))
    if (typeof opened !== 'object' || opened === null) return {}
    return Object.fromEntries(Object.entries(opened).filter(([, value]) => isFieldValue(value)))
  } catch {
    return {}
  }
}

const CHOICE = /^choice_(.+)$/

/**
 * Applies the user's choices after an edit conflict. Each choice keeps the user's input or uses the stored value.
 * For example, if the form field `choice_status` is `stored`, the field `status` gets the stored value.
 */
export function withChoices(form: Record<string, unknown>): Record<string, unknown> {
  const storedFields = Object.keys(form).flatMap((name) =>
    form[name] === 'stored' ? [CHOICE.exec(name)?.[1] ?? ''] : [],
  )
  const stored = storedFields.length > 0 ? readOpenedValues(form) : {}
  return {
    ...form,
    ...Object.fromEntries(
      storedFields.filter((field) => Object.hasOwn(stored, field)).map((field) => [field, stored[field]]),
    ),
  }
}

/**
 * Merges an edit of an outdated record with the stored record.
 * Fields that the user did not edit get the stored value. If another user has also changed a field that this user
 * edited, the form keeps this user's input and shows both values.
 * The form gets the stored version number, so that the user can save again after seeing the changes.
 */
export async function mergedWith(
  db: Db,
  current: Record<string, unknown>,
  input: Record<string, unknown>,
  username: string,
): Promise<Pick<FormState, 'values' | 'changedSince'>> {
  const opened = readOpenedValues(input)
  const shared = Object.keys(current).filter((field) => !NOT_SHOWN.has(field) && field in input)
  const isUntouched = (field: string) => Object.hasOwn(opened, field) && asText(opened[field]) === asText(input[field])
  const isTheirs = (field: string) => !Object.hasOwn(opened, field) || asText(opened[field]) !== asText(current[field])
  const differing = shared.filter((field) => asText(current[field]) !== asText(input[field]))
  const changedByOthers = differing.filter(isUntouched)
  const conflicting = differing.filter((field) => !isUntouched(field) && isTheirs(field))
  const ids = Object.fromEntries(
    conflicting.map((field) => [field, { old: Number(input[field]) || null, new: current[field] ?? null }]),
  )
  const nameOf = await loadChangeNames(db, [
    {
      changes: {
        ...ids,
        ...Object.fromEntries(changedByOthers.map((field) => [field, { old: null, new: current[field] ?? null }])),
      },
    },
  ])
  const formatValue = (field: string, value: unknown) =>
    nameOf(field, typeof value === 'string' ? Number(value) : value) ??
    (asText(value) ? changedValue(field, asText(value)) : '(empty)')
  return {
    values: {
      ...Object.fromEntries(Object.entries(input).filter(([name]) => !CHOICE.test(name))),
      ...Object.fromEntries(changedByOthers.map((field) => [field, current[field]])),
      version: current.version,
      was: JSON.stringify(Object.fromEntries(shared.map((field) => [field, current[field] ?? null]))),
    },
    changedSince: {
      by: current.updated_by === username ? 'you in another window' : asText(current.updated_by) || 'someone',
      conflicts: conflicting.map((field) => ({
        field,
        storedValue: asText(current[field]),
        label: fieldLabel(field),
        typed: formatValue(field, input[field]),
        stored: formatValue(field, current[field]),
      })),
      otherChanges: changedByOthers.map((field) => ({
        label: fieldLabel(field),
        stored: formatValue(field, current[field]),
      })),
    },
  }
}
