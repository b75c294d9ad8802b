import type { Db } from '../../../db/client'
import { changedValue } from '../../../views/changed-value'
import type { FormState } from '../../../views/ui/form-state'
import { namesIn } from '../audit/queries'
import { fieldLabel } from '../field-label'
import { STAMPS } from '../records/write'

/** What no form edits. */
const NOT_SHOWN = new Set([...STAMPS, 'password_hash'])
const asText = (value: unknown) =>
  value === null || value === undefined ? '' : value instanceof Date ? value.toISOString() : String(value).trim()
const asLabel = (field: string) => fieldLabel(field.replace(/_id$/, ''))

/** What the form was opened with, as it says itself; without that, every field counts as typed. */
function openedWith({ was }: Record<string, unknown>): Record<string, unknown> {
  try {
    const opened: unknown = JSON.parse(String(was))
    // It came from outside: it may be any JSON.
    return typeof opened === 'object' && opened !== null ? (opened as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The field of a form in which somebody chooses between what they typed and what is stored, by the field's name. */
const CHOICE = /^choice_(.+)$/

/** What was sent, with the stored values in the fields for which they were chosen. */
export function withChoices(form: Record<string, unknown>): Record<string, unknown> {
  const chosen = Object.keys(form).flatMap((name) => (form[name] === 'stored' ? [CHOICE.exec(name)?.[1] ?? ''] : []))
  const stored = chosen.length > 0 ? openedWith(form) : {}
  return {
    ...form,
    ...Object.fromEntries(chosen.filter((field) => field in stored).map((field) => [field, stored[field]])),
  }
}

/**
 * For a stale edit: what somebody else stored is kept wherever this form was not touched; where both changed a field,
 * the form keeps what was typed and shows both. It carries the stored version, so that saving again is a choice made
 * knowingly.
 */
export async function mergedWith(
  db: Db,
  current: Record<string, unknown>,
  typed: Record<string, unknown>,
): Promise<Pick<FormState, 'values' | 'changedSince'>> {
  const was = openedWith(typed)
  const shared = Object.keys(current).filter((field) => !NOT_SHOWN.has(field) && field in typed)
  const isUntouched = (field: string) => field in was && asText(was[field]) === asText(typed[field])
  const isTheirs = (field: string) => !(field in was) || asText(was[field]) !== asText(current[field])
  const differing = shared.filter((field) => asText(current[field]) !== asText(typed[field]))
  const theirs = differing.filter(isUntouched)
  const both = differing.filter((field) => !isUntouched(field) && isTheirs(field))
  const ids = Object.fromEntries(
    both.map((field) => [field, { old: Number(typed[field]) || null, new: current[field] ?? null }]),
  )
  const nameOf = await namesIn(db, [
    {
      changes: {
        ...ids,
        ...Object.fromEntries(theirs.map((field) => [field, { old: null, new: current[field] ?? null }])),
      },
    },
  ])
  const shown = (field: string, value: unknown) =>
    nameOf(field, typeof value === 'string' ? Number(value) : value) ??
    (asText(value) ? changedValue(field, asText(value)) : '(empty)')
  return {
    values: {
      ...Object.fromEntries(Object.entries(typed).filter(([name]) => !CHOICE.test(name))),
      ...Object.fromEntries(theirs.map((field) => [field, current[field]])),
      version: current.version,
      was: JSON.stringify(Object.fromEntries(shared.map((field) => [field, current[field] ?? null]))),
    },
    changedSince: {
      by: asText(current.updated_by) || 'someone',
      conflicts: both.map((field) => ({
        field,
        storedValue: asText(current[field]),
        label: asLabel(field),
        typed: shown(field, typed[field]),
        stored: shown(field, current[field]),
      })),
      kept: theirs.map((field) => ({ label: asLabel(field), stored: shown(field, current[field]) })),
    },
  }
}
