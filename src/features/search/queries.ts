import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { pagesFor } from '../../platform/navigation'
import { findKindByName, nameOf, unitKinds } from '../../platform/records/kind'
import { containing, searchText, searchWords } from '../../platform/records/search'

export type Hit = { kind: string; label: string; url: string; unit_number: string | null }

const LIMIT = 10

type SearchRecord = { kind: string; record_id: number; unit_number: string; label: string }

/**
 * Query that searches all kinds of records. Each kind has its own subquery, so that Postgres uses the kind's index.
 * Results with the lowest `rank` come first, such as vehicles found by unit number. The label of a result must also
 * contain each of the `words`.
 */
function matchingRecords(q: string, words: string[]): SQL {
  const text = searchText(q)
  const parts = unitKinds().flatMap((kind) =>
    (kind.search ?? []).map(({ rank, label, where }) => {
      const conditions = [sql`(${where(text)})`, ...words.map((word) => sql`${label} ilike ${containing(word)}`)]
      return sql`(select ${rank}::int as rank, ${nameOf(kind)}::text as kind, x.id as record_id, x.unit_number, ${label} as label
        from ${kind.table} x where ${sql.join(conditions, sql` and `)} order by x.unit_number, x.id desc limit ${LIMIT})`
    }),
  )
  return sql.join(parts, sql` union all `)
}

const findRecords = (db: Db, q: string, words: string[] = []) =>
  rows<SearchRecord>(
    db,
    sql`select f.kind, f.record_id, f.unit_number, f.label from (${matchingRecords(q, words)}) f order by f.rank, f.unit_number, f.record_id desc limit ${LIMIT}`,
  )

/** Sorts search words so that the most selective come first: words with digits, then the longest. */
const compareWeight = (words: string[]) =>
  words.toSorted((a, b) => Number(/\d/.test(b)) - Number(/\d/.test(a)) || b.length - a.length)

/**
 * Searches for records in up to three steps, until one finds something. Searches first for the whole text, then for
 * the words joined without spaces (`RA 4711` as `RA4711`). Then searches for each word alone; the label of a result
 * must contain all other words.
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

/** Searches vehicles, then other records, then pages. Returns at most ten results. */
export async function search(db: Db, isAdmin: boolean, q: string): Promise<Hit[]> {
  const matches = await searchRecords(db, q)
  const urls = new Set<string>()
  const records = matches
    .map(({ kind, record_id, unit_number, label }): Hit => {
      const url = findKindByName(kind)?.page?.({ id: record_id, unit_number }) ?? ''
      return { kind, label, url, unit_number }
    })
    .filter(({ url }) => !urls.has(url) && urls.add(url))
  const words = q.toLowerCase().split(/\s+/)
  const pages = pagesFor(isAdmin)
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .map(({ label, href }): Hit => ({ kind: 'page', label, url: href, unit_number: null }))
  return [...records, ...pages].slice(0, LIMIT)
}
