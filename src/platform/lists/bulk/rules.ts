import { z } from 'zod'
import { NOTES_LIMIT, optionalText, requiredChoiceOf } from '../../fields'
import { Refused } from '../../refusals'
import type { BulkKind } from './kind'

/** Maximum number of record ids in a bulk edit request. A request with filters can select more records. */
const IDS_LIMIT = 500
/**
 * Maximum number of records that filters can select, by database engine. The embedded engine has a lower limit, because
 * all users wait for its only connection during the change.
 */
export const FILTERED_LIMIT = { embedded: 1000, server: 10_000 }

const ids = z
  .array(requiredChoiceOf('Must be the id of a record'), { error: 'Must be a list of ids' })
  .min(1, 'Choose at least one record')
  .max(IDS_LIMIT, `At most ${IDS_LIMIT} ids`)

/** Number of records that the user expects a bulk edit to change. HTML forms send this number as text. */
const expected = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number({ error: 'Must be a number' }).int('Must be a whole number').min(0, 'Must not be below 0'),
)

/**
 * Selection of the records of a bulk edit. It contains either their ids, or the filters of the list with the number of
 * rows that the user saw.
 */
export const bulkChoice = (lists: BulkKind['lists']) =>
  z.object({
    ids: ids.optional(),
    filters: z
      .looseObject(
        { list: z.enum(Object.keys(lists) as [string, ...string[]]).default('all') },
        { error: 'Reload the list and try again' },
      )
      .optional(),
    expected: expected.optional(),
  })
export type BulkChoice = z.output<ReturnType<typeof bulkChoice>>

export const bulkChange = (kind: BulkKind) =>
  bulkChoice(kind.lists).extend({
    // The schema accepts unknown fields. `checkBulk` refuses them with a message that names the field.
    set: kind.set.partial().loose().default({}),
    note: optionalText(NOTES_LIMIT),
  })

export type BulkChange = z.output<ReturnType<typeof bulkChange>>

/**
 * Names in the `filters` of a bulk edit that are not filters. `list` is the name of the list, and `days` is the period
 * that some lists show.
 */
const LOOKS = ['list', 'days']

/**
 * Validates the selection of a bulk edit. Unknown filters are refused, because ignoring a filter would select more
 * records.
 * @throws Refused when a filter is unknown, when both or neither of `ids` and `filters` are given, or when `filters` is
 * given without `expected`
 */
export function checkChoice(kind: Pick<BulkKind, 'filters'>, { ids, filters, expected }: BulkChoice) {
  const unknown = Object.keys(filters ?? {}).find(
    (name) => !LOOKS.includes(name) && !Object.hasOwn(kind.filters.shape, name),
  )
  if (unknown) throw Refused.field(`filters.${unknown}`, 'There is no such filter')
  if (!ids === !filters) throw Refused.field('ids', 'Send either ids or filters, but not both')
  if (filters && expected === undefined)
    throw Refused.field('expected', 'Send the number of records that you expect the filters to match')
}

/**
 * @throws Refused when the selection of records is invalid, when a field is unknown, or when the bulk edit has neither
 * a field to change nor a note
 */
export function checkBulk(kind: BulkKind, { set, note, ...choice }: BulkChange) {
  checkChoice(kind, choice)
  const unknown = Object.keys(set).find((name) => !Object.hasOwn(kind.set.shape, name))
  if (unknown) throw Refused.field(`set.${unknown}`, 'There is no such field')
  const isEmpty = Object.values(set).every((value) => value === undefined)
  if (isEmpty && !note) throw Refused.field('set', 'Choose a field to change, or write a note')
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * Maximum length of the filters of a list as JSON. Longer text is cut and therefore refused, because parsing it could
 * take seconds.
 */
const FILTERS_LIMIT = 10_000

/** @throws Refused when the filters of a bulk edit are not valid JSON */
function parsed(filters: unknown): unknown {
  try {
    return JSON.parse(String(filters).slice(0, FILTERS_LIMIT))
  } catch {
    throw Refused.field('filters', 'Reload the list and try again')
  }
}

/**
 * Converts the selection in a bulk edit form to an API request. The user selects either checked rows or all filtered
 * rows.
 */
export function parseChoice(body: unknown) {
  const { ids, all, filters, expected } = isObject(body) ? body : {}
  return all ? { filters: parsed(filters), expected } : { ids: [ids ?? []].flat() }
}
