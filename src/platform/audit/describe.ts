import type { Db } from '../../../db/client'
import { showDate, showInstant } from '../../../views/format'
import { dateIn } from '../clock'
import { withoutCosts } from '../costs'
import { STAMPS_FIELD } from '../records/stamps'
import { type AuditEntry, loadChangeNames, subjectsIn } from './queries'

/** An audit entry for display. Fields have labels, ids are replaced by names, and dates are formatted. */
export type DescribedEntry = Omit<AuditEntry, 'changes'> & {
  /** Name of the changed record, usually its unit number. Null if the name is no longer known. */
  subject: string | null
  changes: { field: string; old: string | null; new: string | null }[]
}

/**
 * Removes costs from audit entries if the user cannot see costs. The audit entry of a deletion can contain other
 * records that were deleted at the same time. Costs in these records are removed too.
 */
export const entriesFor = ({ sees_costs }: { sees_costs: boolean }, entries: AuditEntry[]): AuditEntry[] =>
  sees_costs ? entries : (withoutCosts(entries) as AuditEntry[])

const DAY = /^\d{4}-\d\d-\d\d$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/**
 * Timestamps that the history shows as dates. Users enter only a date, and the time of day that the program adds has no
 * meaning.
 */
const DAY_FIELDS = ['completed_at']

/** Maximum length of a value on a page or in a timeline. A deleted record can have thousands of notes. */
const VALUE_LENGTH = 1000

const shortened = (value: unknown): unknown => {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  return typeof text === 'string' && text.length > VALUE_LENGTH
    ? `${text.slice(0, VALUE_LENGTH).toWellFormed()}…`
    : value
}

/** Shortens long values for a page or a timeline. The history, the audit trail of the API and exports have all text. */
export const withShortValues = <Entry extends Pick<AuditEntry, 'changes'>>(entries: Entry[]): Entry[] =>
  entries.map((entry) => ({
    ...entry,
    changes: Object.fromEntries(
      Object.entries(entry.changes).map(([field, change]) => [
        field,
        { old: shortened(change.old), new: shortened(change.new) },
      ]),
    ),
  }))

const asText = (field: string, value: unknown, timeZone: string): string | null => {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && INSTANT.test(value))
    return DAY_FIELDS.includes(field) ? showDate(dateIn(new Date(value), timeZone)) : showInstant(value, timeZone)
  if (typeof value === 'string' && DAY.test(value)) return showDate(value)
  if (field === 'warnings_accepted') return String(value).replaceAll('_', ' ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const fieldName = (field: string) =>
  (DAY_FIELDS.includes(field) ? field.replace(/_at$/, '_on') : field.replace(/_id$/, '')).replaceAll('_', ' ')

export async function describeEntries(db: Db, entries: AuditEntry[], timeZone: string): Promise<DescribedEntry[]> {
  const [changesOfEntries, subjectOf] = await Promise.all([
    describeChanges(db, entries, timeZone),
    subjectsIn(db, entries),
  ])
  return changesOfEntries.map((entry, at) => ({ ...entry, subject: subjectOf(entries[at]!) }))
}

/**
 * Prepares the changes of audit entries for display. The result does not contain the names of the changed records, or
 * fields that are empty both before and after the change.
 */
export async function describeChanges(db: Db, entries: AuditEntry[], timeZone: string) {
  const nameOf = await loadChangeNames(db, entries)
  return entries.map((entry) => ({
    ...entry,
    changes: Object.entries(entry.changes)
      .filter(([field]) => field !== STAMPS_FIELD)
      .map(([field, change]) => ({
        field: fieldName(field),
        old: nameOf(field, change.old) ?? asText(field, change.old, timeZone),
        new: nameOf(field, change.new) ?? asText(field, change.new, timeZone),
      }))
      .filter((change) => change.old !== null || change.new !== null),
  }))
}

/** Formats each change as a line, such as `status: In Transit → Delivered`. */
export const changesText = ({ changes }: Pick<DescribedEntry, 'changes'>) =>
  changes.map((change) => `${change.field}: ${change.old ?? '–'} → ${change.new ?? '–'}`).join('\n')
