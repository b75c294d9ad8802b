import { z } from 'zod'
import { optionalText, requiredChoiceOf } from '../../fields'
import { Refused } from '../../refusals'
import type { BulkKind } from './kind'

/** By their ids at most this many at once; a filter may mean more. */
const IDS_LIMIT = 500
/** The embedded engine has one connection, which everybody waits for while it changes them. */
export const FILTERED_LIMIT = { embedded: 1000, server: 10_000 }

const ids = z
  .array(requiredChoiceOf('Must be an id'), { error: 'Must be a list of ids' })
  .min(1, 'Choose at least one')
  .max(IDS_LIMIT, `At most ${IDS_LIMIT}`)

/** A form sends it as text. */
const expected = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number({ error: 'Must be a number' }).int('Must be a whole number').min(0, 'Must not be below 0'),
)

/** Which records: by their ids, or by a list's filters with how many they were shown to mean. */
export const bulkChoice = (lists: BulkKind['lists']) =>
  z.object({
    ids: ids.optional(),
    filters: z
      .looseObject(
        { list: z.enum(Object.keys(lists) as [string, ...string[]]).default('all') },
        { error: 'Look at the list again' },
      )
      .optional(),
    expected: expected.optional(),
  })
export type BulkChoice = z.output<ReturnType<typeof bulkChoice>>

/** What is changed, and in which records. */
export const bulkChange = (kind: BulkKind) =>
  bulkChoice(kind.lists).extend({
    set: kind.set.partial().strict().default({}),
    note: optionalText(5000),
  })

export type BulkChange = z.output<ReturnType<typeof bulkChange>>

/** What else a list's address carries: how it is looked at, not what is in it. */
const LOOKS = ['list', 'days']

/** @throws Refused naming what is missing, or a filter that is none: left out, it would mean more records */
export function checkChoice(kind: Pick<BulkKind, 'filters'>, { ids, filters, expected }: BulkChoice) {
  const unknown = Object.keys(filters ?? {}).find(
    (name) => !LOOKS.includes(name) && !Object.hasOwn(kind.filters.shape, name),
  )
  if (unknown) throw Refused.field('filters', `There is no filter ${unknown}`)
  if (!ids === !filters) throw Refused.field('ids', 'Send either ids or filters')
  if (filters && expected === undefined) throw Refused.field('expected', 'Send how many the filters were shown to mean')
}

/** @throws Refused like checkChoice, or when nothing is asked for */
export function checkBulk(kind: BulkKind, { set, note, ...choice }: BulkChange) {
  checkChoice(kind, choice)
  const isEmpty = Object.values(set).every((value) => value === undefined)
  if (isEmpty && !note) throw Refused.field('set', 'Say what is to be set, or write a note')
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** @throws Refused for what is no list's filters */
function parsed(filters: unknown): unknown {
  try {
    return JSON.parse(String(filters))
  } catch {
    throw Refused.field('filters', 'Look at the list again')
  }
}

/** Which records the bar over a list means, as the API would take it: ticked rows, or all of the filter. */
export function askedChoice(body: unknown) {
  const { ids, all, filters, expected } = isObject(body) ? body : {}
  return all ? { filters: parsed(filters), expected } : { ids: [ids ?? []].flat() }
}
