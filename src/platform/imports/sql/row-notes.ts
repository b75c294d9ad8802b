import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../../db/client'
import { uploadRows, vehicles } from '../../../../db/schema'
import { MILEAGE_FACTOR, MILEAGE_FLOOR } from '../../records/warnings'
import { AFTER_TODAY, CREATES_OPEN, type ImportKind, OPEN_AGAIN, type SqlNames, STRUCK } from '../kind'
import { cellOf, TODAY } from './expressions'
import { type Range, raw, within } from './statements'

const NEW_UNIT = 'Unit number: not in the vehicle list; the import adds the vehicle'
const FAR_MORE = ' is far more than the earlier reading of '
const LESS = ' is less than the earlier reading of '

/**
 * Adds notes about probable mistakes to the staged rows in `range`. The forms of records warn about the same mistakes.
 * A second run for the same rows adds no duplicate notes.
 */
export async function addRowNotes(db: Db, kind: ImportKind, range: Range, today: string): Promise<void> {
  const isNewUnit = sql`not exists (select from ${vehicles} v where v.unit_number = r.cells[1])`
  await db.execute(addNote(sql`${NEW_UNIT}::text`, isNewUnit, range))
  const names: SqlNames = { cell: (name) => cellOf(kind, name), given: 'null', today: TODAY }
  for (const { note, where, outcome } of kind.conflicts ?? [])
    await db.execute(addNote(sql`${note}::text`, raw(where(names), today), range, outcome))
  if (kind.mileage) await db.execute(addMileageNotes(sql.raw(cellOf(kind, kind.mileage)), range))
}

const addNote = (note: SQL, where: SQL, range: Range, outcome: 'create' | 'update' = 'create') => sql`
  update upload_rows r set notes = coalesce(r.notes, '{}') || ${note}
  where ${within(range)} and r.outcome = ${outcome} and (${where}) and not ${note} = any(coalesce(r.notes, '{}'))`

function addMileageNotes(reading: SQL, range: Range): SQL {
  const formatMileage = (mileage: SQL) => sql`to_char(${mileage}, 'FM999,999,999')`
  const storedMileage = sql`v.current_mileage`
  const isHigh = sql`${storedMileage} >= ${MILEAGE_FLOOR}::int
    and ${reading} >= ${MILEAGE_FACTOR}::int * ${storedMileage}::bigint`
  const note = sql`'Mileage: ' || ${formatMileage(reading)} ||
    case when ${reading} < ${storedMileage} then ${LESS}::text else ${FAR_MORE}::text end
    || ${formatMileage(storedMileage)} || case when ${reading} < ${storedMileage}
    then '; the mileage of the vehicle does not change' else '; check for an extra digit' end`
  return sql`
    update upload_rows r set notes = coalesce(r.notes, '{}') || (${note}) from ${vehicles} v
    where ${within(range)} and r.outcome in ('create', 'update') and v.unit_number = r.cells[1]
      and (${reading} < ${storedMileage} or ${isHigh}) and not (${note}) = any(coalesce(r.notes, '{}'))`
}

/**
 * Skips staged rows that probably contain a mistake. A unit that is missing from the vehicle list does not count as a
 * mistake, because every first import has such units.
 */
export const skipConflicts = (db: Db, kind: ImportKind, range: Range) =>
  db.execute(sql`
    update upload_rows r set outcome = 'duplicate',
      message = (select replace(note, ${CREATES_OPEN}, ', so the record is probably finished') from unnest(r.notes) note
        where ${isConflict(kind)} limit 1),
      notes = array(select note from unnest(r.notes) note where not (${isConflict(kind)}) and note <> ${NEW_UNIT})
    where ${within(range)} and r.outcome = 'create' and exists (select from unnest(r.notes) note
    where ${isConflict(kind)})`)

/**
 * SQL condition for notes on finished records. Such a note says that the record seems to be finished, but that the
 * import would create it as open.
 */
const isFinished = sql`note like ${`%${CREATES_OPEN}`}`

/**
 * SQL condition: `note` is about a unit number that got leading zeros, although the vehicle is not known. Such a number
 * usually lacks a digit.
 */
const isShortUnit = sql`(note ~ ': [0-9]{1,5} was read as 0[0-9]{5}$' and ${NEW_UNIT} = any(r.notes))`

/** SQL condition: `note` is about a probable mistake, and an import from a page waits for the user. */
const isDoubtful = ({ conflicts = [] }: ImportKind) => {
  const notes = [STRUCK, ...conflicts.flatMap(({ note, isAsked }) => (isAsked ? [note] : []))]
  const patterns = [OPEN_AGAIN, AFTER_TODAY].map((text) => sql`note like ${`%${text}%`}`)
  return sql.join([...patterns, ...notes.map((note) => sql`note = ${note}`), isShortUnit], sql` or `)
}

/** SQL condition: `note` is about a record that seems to be finished, or about a probable mistake. */
const isConflict = (kind: ImportKind) =>
  sql.join([isFinished, isDoubtful(kind), ...(kind.conflicts ?? []).map(({ note }) => sql`note = ${note}`)], sql` or `)

/**
 * Counts the rows that `skipConflicts` would skip. Also counts those with a record that seems to be finished, and those
 * with a doubtful record.
 */
export async function countConflicts(db: Db, kind: ImportKind, upload_id: number) {
  const count = (condition: SQL) =>
    db.$count(
      sql`${uploadRows} r`,
      sql`r.upload_id = ${upload_id} and r.outcome = 'create' and exists (select from unnest(r.notes) note
        where ${condition})`,
    )
  const [conflict_rows, finished_rows, doubtful_rows] = await Promise.all(
    [isConflict(kind), isFinished, isDoubtful(kind)].map(count),
  )
  return { conflict_rows, finished_rows, doubtful_rows }
}

const LISTED_ROWS = 20

/**
 * Summarizes the notes about probable mistakes with row numbers. Each kind of note has one line. The rows and their
 * notes are deleted when the import is written, but the summary is kept.
 */
export async function summarizeConflicts(db: Db, kind: ImportKind, upload_id: number): Promise<string[]> {
  const fixed = [NEW_UNIT, ...(kind.conflicts ?? []).map(({ note }) => note)]
  const [farMore, less, openAgain, finished] = [`%${FAR_MORE}%`, `%${LESS}%`, `%${OPEN_AGAIN}`, `%${CREATES_OPEN}`]
  const found = await rows<{ text: string; total: number; first: number[] }>(
    db,
    sql`select case
        when note like ${farMore} then 'Mileage: far more than the earlier reading; check for an extra digit'
        when note like ${less} then 'Mileage: less than the earlier reading; the mileage of the vehicle does not change'
        when note like ${openAgain} then 'Unit number: an earlier row of the file has an open record for this unit'
        when ${isShortUnit} then 'Unit number: fewer than six digits, and a vehicle with leading zeros is not known'
        when note like ${finished} then 'A column shows that the record is finished, but the import creates an open one'
        else note end as text,
        count(distinct r.row)::int as total,
        to_jsonb((array_agg(distinct r.row order by r.row))[1:${LISTED_ROWS}]) as first
      from ${uploadRows} r cross join unnest(r.notes) note
      where r.upload_id = ${upload_id} and r.outcome in ('create', 'update')
        and (note in ${fixed} or note like ${farMore} or note like ${less} or note like ${openAgain}
          or note like ${finished} or ${isShortUnit})
      group by 1 order by min(r.row), 1`,
  )
  return found.map(({ text, total, first }) => `${text} (${inRows(first, total)})`)
}

/** Formats row numbers as in `rows 2, 5 and 9`. */
function inRows(listed: number[], total: number): string {
  const numbers = [...listed.map(String), ...(total > listed.length ? [`${total - listed.length} more`] : [])]
  return `${total === 1 ? 'row' : 'rows'} ${new Intl.ListFormat('en-US').format(numbers)}`
}
