import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { barePlate, registrations, vehicles } from '../../../db/schema'
import type { Clock } from '../../platform/clock'
import { isRegion, unknownRegion } from '../../platform/reading/regions'
import { inWords, newVehicle, newWarnings, touches, type Warning, warning } from '../../platform/records/warnings'
import { findRegistration } from './queries'
import { isLongTerm, LONGEST_YEARS } from './rules'

type RegistrationValues = {
  unit_number: string
  plate_number: string
  state_province: string
  date_issued: string
  date_expires: string
}
type Facts = { is_known: boolean; is_duplicate: boolean; other_unit: string | null }

/**
 * Loads the facts about a vehicle and plate that decide the warnings. `id` is the registration that is being edited, or
 * null for a new one. The edited registration is ignored, because a registration must not cause warnings about itself.
 */
async function factsOf(db: Db, today: string, registration: RegistrationValues, id: number | null): Promise<Facts> {
  const { unit_number, plate_number, state_province, date_issued } = registration
  const isSamePlate = sql`${barePlate(sql`g.plate_number`)} = ${barePlate(sql`${plate_number}::text`)}
    and g.state_province = ${state_province} and g.id is distinct from ${id}::int`
  const [facts] = await rows<Facts>(
    db,
    sql`select exists (select 1 from ${vehicles} v where v.unit_number = ${unit_number}) as is_known,
      exists (select 1 from ${registrations} g where ${isSamePlate} and lower(g.plate_number) = lower(${plate_number})
      and g.unit_number = ${unit_number} and g.date_issued = ${date_issued}::date) as is_duplicate,
      (select g.unit_number from ${registrations} g where ${isSamePlate} and g.unit_number <> ${unit_number}
      and g.date_expires >= ${today}::date
        order by g.date_expires desc limit 1) as other_unit`,
  )
  return facts as Facts
}

function warningsFrom(
  { unit_number: unit, plate_number, state_province, date_issued, date_expires }: RegistrationValues,
  today: string,
  facts: Facts,
): Warning[] {
  const plate = `${plate_number} ${state_province}`
  return [
    ...(facts.is_known ? [] : [newVehicle(unit)]),
    ...(facts.is_duplicate
      ? [
          warning(
            'duplicate',
            'plate_number',
            `Unit ${unit} already has plate ${plate} issued on ${inWords(date_issued)}`,
          ),
        ]
      : []),
    ...(facts.other_unit
      ? [warning('plate_in_use', 'plate_number', `Plate ${plate} is already registered to unit ${facts.other_unit}`)]
      : []),
    ...(date_issued > today
      ? [warning('far_date', 'date_issued', `The issue date ${inWords(date_issued)} is after today`)]
      : []),
    ...(isLongTerm(date_issued, date_expires)
      ? [warning('far_date', 'date_expires', `The registration would be valid for more than ${LONGEST_YEARS} years`)]
      : []),
    ...(isRegion(state_province) ? [] : [warning('unknown_state', 'state_province', unknownRegion(state_province))]),
  ]
}

export const registrationWarnings = async (
  db: Db,
  clock: Clock,
  registration: RegistrationValues,
): Promise<Warning[]> => warningsFrom(registration, clock.today(), await factsOf(db, clock.today(), registration, null))

export const storedRegistrationWarnings = async (
  db: Db,
  clock: Clock,
  registration: RegistrationValues & { id: number },
): Promise<Warning[]> =>
  warningsFrom(registration, clock.today(), await factsOf(db, clock.today(), registration, registration.id))

const CHECKED_FIELDS = ['unit_number', 'plate_number', 'state_province', 'date_issued', 'date_expires']

/**
 * Returns only the warnings that a change adds. Warnings that the stored registration already has are left out.
 * @throws Missing when the registration does not exist
 */
export async function registrationChangeWarnings(
  db: Db,
  clock: Clock,
  id: number,
  change: Partial<RegistrationValues>,
): Promise<Warning[]> {
  if (!touches(change, CHECKED_FIELDS)) return []
  const stored = await findRegistration(db, clock, id)
  const next = { ...stored, ...change }
  const today = clock.today()
  const [before, after] = await Promise.all([factsOf(db, today, stored, id), factsOf(db, today, next, id)])
  return newWarnings(warningsFrom(stored, today, before), warningsFrom(next, today, after))
}
