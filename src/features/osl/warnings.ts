import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { locations, oslEntries, transports, vehicles } from '../../../db/schema'
import type { Clock } from '../../platform/clock'
import {
  inWords,
  isFar,
  mileageWarnings,
  newVehicle,
  newWarnings,
  touches,
  type Warning,
  warning,
} from '../../platform/records/warnings'
import { isReadLater } from '../vehicles'
import { findOslEntry } from './queries'

type OslEntryValues = {
  unit_number: string
  osl_date: string
  osl_mileage: number | null
  status: string
  expected_return: string | null
}
type Facts = { is_known: boolean; is_duplicate: boolean; open_osl: string | null; older_mileage: number | null }

/**
 * Loads the facts about a vehicle that decide the warnings. `id` is the OSL entry that is being edited, or null for a
 * new entry. The edited entry is ignored, because an entry must not cause warnings about itself.
 */
async function factsOf(db: Db, { unit_number, osl_date }: OslEntryValues, id: number | null): Promise<Facts> {
  const own = sql`e.unit_number = ${unit_number} and e.id is distinct from ${id}::int`
  const [facts] = await rows<Facts>(
    db,
    sql`select v.id is not null as is_known,
      exists (select 1 from ${oslEntries} e where ${own} and e.osl_date = ${osl_date}::date) as is_duplicate,
      (select l.location_name || ', ' || e.status from ${oslEntries} e join ${locations} l on l.id = e.location_id
        where ${own} and e.status <> 'Completed' order by e.osl_date desc, e.id desc limit 1) as open_osl,
      greatest((select max(t.mileage) from ${transports} t where t.unit_number = ${unit_number}
      and t.move_date <= ${osl_date}::date),
        (select max(e.osl_mileage) from ${oslEntries} e where ${own} and e.osl_date <= ${osl_date}::date),
        case when ${id}::int is null and not ${isReadLater(unit_number, osl_date)} then v.current_mileage
        end) as older_mileage
      from (select 1) one left join ${vehicles} v on v.unit_number = ${unit_number}`,
  )
  return facts as Facts
}

function warningsFrom(
  { unit_number: unit, osl_date, osl_mileage, status, expected_return }: OslEntryValues,
  today: string,
  facts: Facts,
): Warning[] {
  const isAhead = osl_date > today
  return [
    ...(facts.is_known ? [] : [newVehicle(unit)]),
    ...(facts.is_duplicate
      ? [warning('duplicate', 'unit_number', `Unit ${unit} already has an OSL entry dated ${inWords(osl_date)}`)]
      : []),
    ...(isAhead || isFar(osl_date, today)
      ? [
          warning(
            'far_date',
            'osl_date',
            `The OSL date ${inWords(osl_date)} is ${isAhead ? 'after today' : 'more than a year ago'}`,
          ),
        ]
      : []),
    ...(expected_return && expected_return < osl_date
      ? [
          warning(
            'far_date',
            'expected_return',
            `The expected return ${inWords(expected_return)} is before the OSL date`,
          ),
        ]
      : []),
    ...(status !== 'Completed' && facts.open_osl
      ? [warning('open_osl', 'unit_number', `Unit ${unit} is already out of service: ${facts.open_osl}`)]
      : []),
    ...mileageWarnings('osl_mileage', osl_mileage, facts.older_mileage),
  ]
}

export const oslWarnings = async (db: Db, clock: Clock, entry: OslEntryValues): Promise<Warning[]> =>
  warningsFrom(entry, clock.today(), await factsOf(db, entry, null))

const CHECKED_FIELDS = ['unit_number', 'osl_date', 'osl_mileage', 'status', 'expected_return']

/**
 * Returns only the warnings that a change adds. Warnings that the stored OSL entry already has are left out.
 * @throws Missing when the entry does not exist
 */
export async function oslChangeWarnings(
  db: Db,
  clock: Clock,
  id: number,
  change: Partial<OslEntryValues>,
): Promise<Warning[]> {
  if (!touches(change, CHECKED_FIELDS)) return []
  const stored = await findOslEntry(db, clock, id)
  const next = { ...stored, ...change }
  const [before, after] = await Promise.all([factsOf(db, stored, id), factsOf(db, next, id)])
  return newWarnings(warningsFrom(stored, clock.today(), before), warningsFrom(next, clock.today(), after))
}
