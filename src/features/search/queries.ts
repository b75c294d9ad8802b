import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { oslEntries, registrations, transports, vehicles } from '../../../db/schema'
import { pagesFor } from '../../platform/navigation'
import { type RecordKind, recordPath } from '../../platform/paths'
import { beginningWith, containing, vinEnds, wordsOf } from '../../platform/records/search'
import { plateBegins } from '../registrations'

/** One thing that a search found, and where it is looked at. */
export type Hit = { kind: RecordKind | 'page'; label: string; url: string; unit_number: string | null }

const LIMIT = 10

type Found = { kind: RecordKind; record_id: number; unit_number: string; label: string }

/**
 * A vehicle that is looked for by its number is what was meant; each way to match uses an index of its own. What is
 * found is called by each of `also` too.
 */
function recordsLike(q: string, also: string[]): SQL {
  const text = q.replace(/^\d[\d\s-]*$/, (digits) => digits.replace(/[\s-]/g, ''))
  const [begins, lower, upper] = [beginningWith(text), beginningWith(text.toLowerCase()), text.toUpperCase()]
  const part = (rank: number, kind: RecordKind, table: SQL, label: SQL, where: SQL) =>
    sql`(select ${rank}::int as rank, ${kind}::text as kind, x.id as record_id, x.unit_number, ${label} as label
      from ${table} x where ${sql.join([sql`(${where})`, ...also.map((word) => sql`${label} ilike ${containing(word)}`)], sql` and `)} order by x.unit_number, x.id desc limit ${LIMIT})`
  const vin = sql`'Unit ' || x.unit_number || ', VIN ' || x.vin`
  // Many a number says itself what it is: `RA10021`.
  const numbered = (name: string, column: SQL) =>
    sql`case when ${column} ilike ${`${name}%`} then '' else ${`${name} `}::text end || ${column} || ', unit ' || x.unit_number`
  const number = (rank: number, kind: RecordKind, table: SQL, name: string, column: SQL) =>
    part(rank, kind, table, numbered(name, column), sql`lower(${column}) like ${lower}`)
  return sql.join(
    [
      part(1, 'vehicles', sql`${vehicles}`, sql`'Unit ' || x.unit_number`, sql`x.unit_number like ${begins}`),
      part(
        2,
        'vehicles',
        sql`${vehicles}`,
        vin,
        sql`x.vin like ${beginningWith(upper)} or ${vinEnds(sql`x.vin`, upper)}`,
      ),
      part(
        3,
        'registrations',
        sql`${registrations}`,
        sql`'Plate ' || x.plate_number || ' ' || x.state_province || ' until ' || to_char(x.date_expires, 'MM/DD/YYYY') || ', unit ' || x.unit_number`,
        plateBegins(sql`x.plate_number`, text),
      ),
      number(4, 'transports', sql`${transports}`, 'RA', sql`x.ra_number`),
      number(5, 'osl', sql`${oslEntries}`, 'RA', sql`x.ra_number`),
      number(6, 'transports', sql`${transports}`, 'PO', sql`x.po_number`),
      number(7, 'osl', sql`${oslEntries}`, 'PO', sql`x.po_number`),
    ],
    sql` union all `,
  )
}

const recordsFor = (db: Db, q: string, also: string[] = []) =>
  rows<Found>(
    db,
    sql`select f.kind, f.record_id, f.unit_number, f.label from (${recordsLike(q, also)}) f order by f.rank, f.unit_number, f.record_id desc limit ${LIMIT}`,
  )

/** The word that narrows most comes first: a number, and of those the longest. */
const byWeight = (words: string[]) =>
  words.toSorted((a, b) => Number(/\d/.test(b)) - Number(/\d/.test(a)) || b.length - a.length)

/**
 * Records by the whole text; else by its words put together, as in `RA 4711`, or by one of them where the others are in
 * what the record is called.
 */
async function recordsCalled(db: Db, q: string): Promise<Found[]> {
  const words = byWeight(wordsOf(q))
  let found = await recordsFor(db, q)
  if (found.length === 0 && words.length > 0) found = await recordsFor(db, q.replace(/\s+/g, ''))
  for (const word of words) {
    if (found.length > 0) break
    found = await recordsFor(
      db,
      word,
      words.filter((other) => other !== word),
    )
  }
  return found
}

/** What somebody may open that is called like this: at most ten, vehicles first, then records, then pages. */
export async function search(db: Db, isAdmin: boolean, q: string): Promise<Hit[]> {
  const found = await recordsCalled(db, q)
  const seen = new Set<string>()
  const records = found
    .map(({ kind, record_id, unit_number, label }): Hit => {
      return { kind, label, url: recordPath(kind, { record_id, unit_number }), unit_number }
    })
    .filter(({ url }) => !seen.has(url) && seen.add(url))
  const words = q.toLowerCase().split(/\s+/)
  const pages = pagesFor(isAdmin)
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .map(({ label, href }): Hit => ({ kind: 'page', label, url: href, unit_number: null }))
  return [...records, ...pages].slice(0, LIMIT)
}
