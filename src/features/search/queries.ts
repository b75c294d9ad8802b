import { ilike, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import type { CurrentUser } from '../../platform/auth/current-user'
import { pagesFor } from '../../platform/navigation'
import { capitalised, findKindByName, namedKinds, nameOf, unitKinds } from '../../platform/records/kind'
import { containing, searchText, searchWords } from '../../platform/records/search'

export type Hit = { kind: string; label: string; url: string; unit_number: string | null }

const LIMIT = 10

type SearchRecord = { kind: string; record_id: number; unit_number: string; label: string }

/**
 * Query that finds records of all kinds by the text `q`. The label of a result must also contain each of the `words`.
 * Each kind has its own subquery, so that Postgres uses the kind's index. Results with a lower `rank` come first.
 */
function matchingRecords(q: string, words: string[]): SQL {
  const text = searchText(q)
  const parts = unitKinds().flatMap((kind) =>
    (kind.search ?? []).map(({ rank, label, where }) => {
      const conditions = [sql`(${where(text)})`, ...words.map((word) => sql`${label} ilike ${containing(word)}`)]
      return sql`(select ${rank}::int as rank, ${nameOf(kind)}::text as kind, x.id as record_id, x.unit_number,
        ${label} as label
        from ${kind.table} x where ${sql.join(conditions, sql` and `)} order by x.unit_number, x.id desc
        limit ${LIMIT})`
    }),
  )
  return sql.join(parts, sql` union all `)
}

const findRecords = (db: Db, q: string, words: string[] = []) =>
  rows<SearchRecord>(
    db,
    sql`select f.kind, f.record_id, f.unit_number, f.label from (${matchingRecords(q, words)}) f order by f.rank,
      f.unit_number, f.record_id desc limit ${LIMIT}`,
  )

/** Minimum length of a text to search for names, in characters. A shorter text would match too many names. */
const MIN_NAME_LENGTH = 3

/**
 * Finds locations, companies and vendors by name or code.
 * Only for users who can see costs, because the pages of the results show costs.
 */
async function findByName(db: Db, q: string): Promise<Hit[]> {
  if (q.trim().length < MIN_NAME_LENGTH) return []
  const hits = await Promise.all(
    namedKinds().map(async (kind): Promise<Hit[]> => {
      const { calledBy, codes = [] } = kind
      if (!calledBy) return []
      const { id } = kind.table as PgTable & { id: AnyPgColumn }
      const found = await db
        .select({ id, name: calledBy, code: codes[0] ?? sql<null>`null` })
        .from(kind.table)
        .where(or(...[calledBy, ...codes].map((column) => ilike(column, containing(q.trim())))))
        .orderBy(calledBy)
        .limit(LIMIT)
      return found.map((record) => ({
        kind: nameOf(kind),
        label: `${capitalised(kind.noun)} ${record.name}${record.code ? ` (${record.code})` : ''}`,
        url: kind.page?.({ id: record.id as number, unit_number: '' }) ?? '',
        unit_number: null,
      }))
    }),
  )
  return hits.flat()
}

/** Puts the search words with the fewest probable results first. Words with digits come first, then long words. */
const compareWeight = (words: string[]) =>
  words.toSorted((a, b) => Number(/\d/.test(b)) - Number(/\d/.test(a)) || b.length - a.length)

/**
 * Searches in up to three steps. Stops after the first step with results.
 * 1. Search for the whole text.
 * 2. Search for the text without spaces, such as `RA4711` for `RA 4711`.
 * 3. Search for single words, one after another. A result counts only if its label contains all other words.
 */
async function searchRecords(db: Db, q: string): Promise<SearchRecord[]> {
  const words = compareWeight(searchWords(q))
  let matches = await findRecords(db, q)
  if (matches.length === 0 && words.length > 0) matches = await findRecords(db, q.replace(/\s+/g, ''))
  for (const word of words) {
    if (matches.length > 0) break
    matches = await findRecords(
      db,
      word,
      words.filter((other) => other !== word),
    )
  }
  return matches
}

/** Searches vehicles, then other records, then master data by name, then pages. Returns at most ten results. */
export async function search(db: Db, user: Pick<CurrentUser, 'role' | 'sees_costs'>, q: string): Promise<Hit[]> {
  const [matches, named] = await Promise.all([searchRecords(db, q), user.sees_costs ? findByName(db, q) : []])
  const urls = new Set<string>()
  const records = matches
    .map(({ kind, record_id, unit_number, label }): Hit => {
      const url = findKindByName(kind)?.page?.({ id: record_id, unit_number }) ?? ''
      return { kind, label, url, unit_number }
    })
    .filter(({ url }) => !urls.has(url) && urls.add(url))
  const words = q.toLowerCase().split(/\s+/)
  const pages = pagesFor(user.role === 'admin')
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .map(({ label, href }): Hit => ({ kind: 'page', label, url: href, unit_number: null }))
  return [...records, ...named, ...pages].slice(0, LIMIT)
}
