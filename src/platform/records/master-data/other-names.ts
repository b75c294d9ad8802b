import { and, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Db } from '../../../../db/client'
import { isStorable } from '../../fields'
import { cleanLine, nameKey, normalize } from '../../reading/text'
import { Conflict, Refused } from '../../refusals'
import { containing } from '../search'

/** Aliases: other names of locations, companies and vendors. Users can enter aliases in searches and spreadsheets. */

/** Limit of aliases per record. It is high, because a merge adds all names of the merged record. */
const NAMES_LIMIT = 100
const LENGTH_LIMIT = 100

/** A form sends one name per line. Empty lines and duplicate names are dropped. */
export function parseNames(value: unknown): unknown {
  const lines = typeof value === 'string' ? value.split('\n') : value
  if (!Array.isArray(lines)) return lines ?? null
  // If the list is far too long, return it unchanged. The rule refuses it anyway, and finding duplicates would take
  // quadratic time.
  if (lines.length > 2 * NAMES_LIMIT) return lines
  const trimmed = lines.map((name) => (typeof name === 'string' ? name.replace(/\s+/g, ' ').trim() : name))
  const names = trimmed.filter((name) => name !== '')
  // The rule refuses longer names, so do not spend time on their keys.
  const keys = names.map((name) => (typeof name === 'string' && name.length <= LENGTH_LIMIT ? nameKey(name) : name))
  const single = names.filter((_, at) => keys.indexOf(keys[at]) === at)
  return single.length ? single : null
}

export const otherNames = z.preprocess(
  parseNames,
  z
    .array(z.string({ error: 'Must be a list of names' }), { error: 'Must be a list of names' })
    .max(NAMES_LIMIT, `At most ${NAMES_LIMIT} names`)
    .refine((names) => names.every((name) => name.length <= LENGTH_LIMIT), `At most ${LENGTH_LIMIT} characters each`)
    .refine((names) => names.every(isStorable), 'Contains characters that cannot be stored')
    .nullable()
    .default(null),
)

export type NamedTable = { table: PgTable & { id: AnyPgColumn; other_names: AnyPgColumn }; called: AnyPgColumn[] }

/** Returns SQL that removes accents from a name. `Muller` then finds `Müller`. */
const plain = (name: SQLWrapper): SQL => sql`regexp_replace(normalize(${name}, NFD), '[\u0300-\u036F]', '', 'g')`

/** Ignores case and accents. */
export const nameMatches = ({ table, called }: NamedTable, q: string): SQL =>
  sql`(${sql.join(
    [...called, sql`array_to_string(${table.other_names}, ' ')`].map(
      (name) => sql`${plain(name)} ilike ${containing(normalize(q, 'NFD').replace(/\p{M}/gu, ''))}`,
    ),
    sql` or `,
  )})`

export const isAlso = ({ other_names }: Pick<NamedTable['table'], 'other_names'>, name: string): SQL =>
  sql`lower(${name}) = any(array(select lower(o) from unnest(${other_names}) o))`

export const nameTaken = (name: string, by: string) =>
  Refused.field('other_names', `“${name}” is already a name of ${by}`)

/** @throws Refused when another record already has one of the names. Aliases count as names. */
export async function refuseTakenNames(tx: Db, { table, called }: NamedTable, names: string[], id: number | null) {
  for (const name of names) {
    const has = [...called.map((column) => sql`lower(${column}) = lower(${name})`), isAlso(table, name)]
    const [owner] = await tx
      .select({ name: called[0] as AnyPgColumn })
      .from(table as PgTable)
      .where(and(id === null ? undefined : ne(table.id, id), sql`(${sql.join(has, sql` or `)})`))
      .limit(1)
    if (owner) throw nameTaken(name, String(owner.name))
  }
}

/**
 * Returns SQL that reduces a name to lowercase letters and digits. Compare only such results with each other.
 * If the function `nameKey` returns the same key for two names, this SQL also gives the same result for both.
 */
const bare = (name: SQLWrapper | SQL): SQL =>
  sql`regexp_replace(lower(normalize(${name}, NFKC)), '[^[:alnum:]]', '', 'g')`

/**
 * Rejects a name that looks like the name of another record. Two names look alike if they differ only in apostrophes,
 * dashes, spaces or Unicode normalization. An example is `O'Hare` and `O’Hare`. In a spreadsheet, such a name could
 * mean either record.
 * @throws Conflict when another record in the table has such a name
 */
export async function refuseLookalike(
  tx: Db,
  { table, called }: NamedTable,
  field: string,
  entered: string,
  id: number | null,
) {
  const name = cleanLine(entered)
  const [own] = called as [AnyPgColumn]
  const alike = (await tx
    .select({ name: own })
    .from(table as PgTable)
    .where(
      and(
        id === null ? undefined : ne(table.id, id),
        sql`${bare(own)} = ${bare(sql`${name}::text`)}`,
        name === entered.trim() ? sql`lower(${own}) <> lower(${name})` : undefined,
      ),
    )) as { name: string }[]
  const duplicate = alike.find((other) => nameKey(other.name) === nameKey(name))
  if (!duplicate) return
  const message = `“${name}” looks like “${duplicate.name}”, which already exists`
  throw new Conflict(message, [{ field, message }])
}
