import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { oslEntries, transports, vehicles } from '../../../db/schema'
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
import { hasPendingTitle, isReadLater, openOsl, openTransport, registeredUntil } from '../vehicles'
import { findTransport } from './queries'

type TransportValues = {
  unit_number: string
  location_out_id: number
  location_in_id: number
  move_date: string
  actual_arrival_date: string | null
  mileage: number | null
  move_type: string
  status: string
}

type Facts = {
  is_known: boolean
  is_duplicate: boolean
  open_transport: string | null
  open_osl: string | null
  registered_until: string | null
  has_pending_title: boolean
  older_mileage: number | null
}

/**
 * Loads the data that the warnings about a transport depend on. `id` is the edited transport, or null for a new one.
 * The query ignores the edited transport, so that a transport never causes warnings about itself.
 */
async function factsOf(
  db: Db,
  { unit_number, move_date, location_out_id, location_in_id }: TransportValues,
  id: number | null,
): Promise<Facts> {
  const own = sql`t.unit_number = ${unit_number} and t.id is distinct from ${id}::int`
  const [facts] = await rows<Facts>(
    db,
    sql`select v.id is not null as is_known,
      exists (select 1 from ${transports} t where ${own} and t.move_date = ${move_date}::date
      and t.location_out_id = ${location_out_id}::int and t.location_in_id = ${location_in_id}::int) as is_duplicate,
      ${openTransport(own)} as open_transport, ${openOsl(unit_number)} as open_osl,
      ${registeredUntil(unit_number)} as registered_until, ${hasPendingTitle(unit_number)} as has_pending_title,
      greatest((select max(t.mileage) from ${transports} t where ${own} and t.move_date <= ${move_date}::date),
        (select max(e.osl_mileage) from ${oslEntries} e where e.unit_number = ${unit_number}
        and e.osl_date <= ${move_date}::date),
        case when ${id}::int is null and not ${isReadLater(unit_number, move_date)} then v.current_mileage
        end) as older_mileage
      from (select 1) one left join ${vehicles} v on v.unit_number = ${unit_number}`,
  )
  return facts as Facts
}

const expired = (unit: string, day: string, today: string) =>
  day < today
    ? `The registration of unit ${unit} expired on ${inWords(day)}`
    : `The registration of unit ${unit} expires on ${inWords(day)}, before the move`

/** Warns if a transport is delivered before its move date. An arrival date in the future has its own warning. */
export const earlyDelivery = (
  { status, move_date, actual_arrival_date }: Pick<TransportValues, 'status' | 'move_date' | 'actual_arrival_date'>,
  today: string,
): Warning[] =>
  status === 'Delivered' && move_date > today && !(actual_arrival_date && actual_arrival_date > today)
    ? [warning('far_date', 'move_date', 'The move date is after today, but the transport is delivered')]
    : []

function warningsFrom(transport: TransportValues, today: string, facts: Facts): Warning[] {
  const {
    unit_number: unit,
    location_out_id,
    location_in_id,
    move_date,
    actual_arrival_date,
    mileage,
    move_type,
    status,
  } = transport
  const isOpen = status !== 'Delivered'
  return [
    ...(facts.is_known ? [] : [newVehicle(unit)]),
    ...(facts.is_duplicate
      ? [
          warning(
            'duplicate',
            'unit_number',
            `Unit ${unit} already has a transport on ${inWords(move_date)} between these locations`,
          ),
        ]
      : []),
    ...(location_out_id === location_in_id
      ? [warning('same_location', 'location_in_id', 'Location out and location in are the same')]
      : []),
    ...(isFar(move_date, today)
      ? [warning('far_date', 'move_date', `The move date ${inWords(move_date)} is more than a year away`)]
      : []),
    ...(!isOpen && actual_arrival_date && actual_arrival_date > today
      ? [warning('far_date', 'actual_arrival_date', `The arrival date ${inWords(actual_arrival_date)} is after today`)]
      : []),
    ...(isFar(move_date, today) ? [] : earlyDelivery(transport, today)),
    ...(isOpen && facts.open_transport
      ? [
          warning(
            'open_transport',
            'unit_number',
            `Unit ${unit} already has an active transport: ${facts.open_transport}`,
          ),
        ]
      : []),
    ...(move_type !== 'OSL' && facts.open_osl
      ? [warning('open_osl', 'unit_number', `Unit ${unit} is out of service: ${facts.open_osl}`)]
      : []),
    ...(facts.registered_until && facts.registered_until < move_date
      ? [warning('expired_registration', 'unit_number', expired(unit, facts.registered_until, today))]
      : []),
    ...(move_type === 'Sales' && facts.has_pending_title
      ? [warning('pending_title', 'move_type', `The title of unit ${unit} is still pending`)]
      : []),
    ...mileageWarnings('mileage', mileage, facts.older_mileage),
  ]
}

export const transportWarnings = async (db: Db, clock: Clock, transport: TransportValues): Promise<Warning[]> =>
  warningsFrom(transport, clock.today(), await factsOf(db, transport, null))

const CHECKED_FIELDS = [
  'unit_number',
  'location_out_id',
  'location_in_id',
  'move_date',
  'actual_arrival_date',
  'mileage',
  'move_type',
  'status',
]

/**
 * Returns only warnings that the stored transport does not already have.
 * @throws Missing when the transport does not exist
 */
export async function transportChangeWarnings(
  db: Db,
  clock: Clock,
  id: number,
  change: Partial<TransportValues>,
): Promise<Warning[]> {
  if (!touches(change, CHECKED_FIELDS)) return []
  const stored = await findTransport(db, id)
  const today = clock.today()
  const next = { ...stored, ...change }
  const [before, after] = await Promise.all([factsOf(db, stored, id), factsOf(db, next, id)])
  return newWarnings(warningsFrom(stored, today, before), warningsFrom(next, today, after))
}
