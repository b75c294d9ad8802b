import { addMonths } from '../clock'
import { Refusal } from '../refusals'
import type { Write } from './write'

/** What may be odd about a record. A warning never blocks a call; a screen shows it once before it saves. */
export const WARNING_CODES = [
  'duplicate',
  'same_location',
  'far_date',
  'new_vehicle',
  'open_transport',
  'open_osl',
  'expired_registration',
  'pending_title',
  'lower_mileage',
  'high_mileage',
  'plate_in_use',
  'vin_check_digit',
] as const

export type Warning = { code: (typeof WARNING_CODES)[number]; message: string; field: string }

export const warning = (code: Warning['code'], field: string, message: string): Warning => ({ code, message, field })

/** Adds the warnings to an answer; one without any has no such key. */
export const withWarnings = <Answer extends object>(
  answer: Answer,
  warnings: Warning[],
): Answer & { warnings?: Warning[] } => (warnings.length ? { ...answer, warnings } : answer)

/** Those that a change brings about: what was odd before needs no second look. */
export const newWarnings = (before: Warning[], after: Warning[]) =>
  after.filter(({ code, field }) => !before.some((known) => known.code === code && known.field === field))

/** Does a change touch any of these fields? Most do not, and need no look at other records. */
export const touches = (change: object, fields: readonly string[]) =>
  fields.some((field) => (change as Record<string, unknown>)[field] !== undefined)

/** A screen's question: nothing is saved until somebody has seen these. */
export class Warned extends Refusal {
  /** What the form sends along to say that they were seen. */
  readonly seen: string

  constructor(readonly warnings: Warning[]) {
    super(422, 'Please look at this before it is saved')
    this.seen = warnings.map(seenKey).join(',')
  }
}

/** What a form sends along to say which warnings were seen; another wording is another warning. */
const seenKey = ({ code, message }: Warning) => `${code}.${Bun.hash(message).toString(36)}`

/**
 * @param seen the keys that the form sent along, separated by commas
 * @returns the codes of the warnings that were accepted
 * @throws Warned when one of them has not been seen
 */
function acceptSeen(warnings: Warning[], seen: unknown): string[] {
  const keys = new Set(String(seen ?? '').split(','))
  if (warnings.some((one) => !keys.has(seenKey(one)))) throw new Warned(warnings)
  return warnings.map(({ code }) => code)
}

/** `03/10/2026` */
export const inWords = (date: string) => date.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')

/** Is a day more than a year away? */
export const isFar = (date: string, today: string) => date > addMonths(today, 12) || date < addMonths(today, -12)

export const newVehicle = (unit: string) =>
  warning('new_vehicle', 'unit_number', `Unit ${unit} is not in the vehicle list; saving adds it`)

/** A reading this many times an earlier one has a digit too many. */
export const MILEAGE_FACTOR = 5
/** In miles: a vehicle that is nearly new may well drive several times as far. */
export const MILEAGE_FLOOR = 5000

/** A record's reading never takes a vehicle's mileage back; a change of the vehicle itself does. */
const NOT_COUNTED = "; it will not count as the vehicle's mileage"

/** What is odd about a reading of the mileage, compared with an earlier one. */
export function mileageWarnings(
  field: string,
  mileage: number | null | undefined,
  older: number | null,
  consequence = NOT_COUNTED,
): Warning[] {
  if (typeof mileage !== 'number' || older === null) return []
  const [now, before] = [mileage.toLocaleString('en-US'), older.toLocaleString('en-US')]
  if (mileage < older)
    return [warning('lower_mileage', field, `${now} is less than the ${before} read before${consequence}`)]
  if (older < MILEAGE_FLOOR || mileage < MILEAGE_FACTOR * older) return []
  return [
    warning('high_mileage', field, `${now} is far more than the ${before} read before; is there a digit too many?`),
  ]
}

/** The same change, with the warnings that its form has shown noted as accepted. @throws Warned when it has not */
export const acceptingWarnings = (write: Write, warnings: Warning[], form: Record<string, unknown>): Write => ({
  ...write,
  actor: { ...write.actor, accepted: acceptSeen(warnings, form.warnings_seen) },
})
