import { addMonths } from '../clock'
import { Refusal } from '../refusals'
import { inTransaction, type Write } from './transactions'

/**
 * Codes of warnings about possible mistakes in a record. Warnings never block an API call. A form shows each warning
 * once before it saves the record.
 */
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
  'unknown_state',
  'unquoted_comma',
  'vin_check_digit',
  'unread_sheet',
  'amount_column',
  'hidden_rows',
  'left_out_row',
] as const

export type Warning = { code: (typeof WARNING_CODES)[number]; message: string; field: string }

export const warning = (code: Warning['code'], field: string, message: string): Warning => ({ code, message, field })

export const messagesOf = (warnings: Warning[]): string[] => warnings.map(({ message }) => message)

export const withWarnings = <Answer extends object>(
  answer: Answer,
  warnings: Warning[],
): Answer & { warnings?: Warning[] } => (warnings.length ? { ...answer, warnings } : answer)

export const newWarnings = (before: Warning[], after: Warning[]) =>
  after.filter(({ code, field }) => !before.some((earlier) => earlier.code === code && earlier.field === field))

export const touches = (change: object, fields: readonly string[]) =>
  fields.some((field) => (change as Record<string, unknown>)[field] !== undefined)

export class Warned extends Refusal {
  readonly warningKeys: string

  constructor(readonly warnings: Warning[]) {
    super(422, 'Please review these warnings before you save')
    this.warningKeys = warnings.map(seenKey).join(',')
  }
}

/**
 * A form sends this key to confirm the warning. The key contains a hash of the message, so that a changed message must
 * be confirmed again.
 */
const seenKey = ({ code, message }: Warning) => `${code}.${Bun.hash(message).toString(36)}`

/** @param confirmed comma-separated keys of warnings from the form */
function areConfirmed(warnings: Warning[], confirmed: unknown): boolean {
  const keys = new Set(String(confirmed ?? '').split(','))
  return warnings.every((item) => keys.has(seenKey(item)))
}

/** Converts `2026-03-10` to `03/10/2026`. */
export const inWords = (date: string) => date.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')

/** A date more than this many years ago is probably mistyped. */
export const LONG_AGO_YEARS = 20
export const isLongAgo = (day: string, today: string): boolean => day < addMonths(today, -12 * LONG_AGO_YEARS)

export const isFar = (date: string, today: string) => date > addMonths(today, 12) || date < addMonths(today, -12)

export const newVehicle = (unit: string) =>
  warning('new_vehicle', 'unit_number', `Unit ${unit} is not in the vehicle list; saving adds the vehicle`)

/**
 * Factor for the warning about a high mileage.
 * If a mileage is at least this many times the previous mileage, the mileage probably has an extra digit.
 */
export const MILEAGE_FACTOR = 5
/**
 * Minimum previous mileage, in miles, for the warning about a high mileage.
 * The mileage of a nearly new vehicle can increase by a large factor without being wrong.
 */
export const MILEAGE_FLOOR = 5000

/**
 * End of a warning about a mileage below the vehicle's mileage. The lower mileage belongs to a transport or OSL entry.
 * Transports and OSL entries never lower the mileage of the vehicle. Only an edit of the vehicle can do so.
 */
const NOT_COUNTED = '; the mileage of the vehicle does not change'

export function mileageWarnings(
  field: string,
  mileage: number | null | undefined,
  older: number | null,
  consequence = NOT_COUNTED,
): Warning[] {
  if (typeof mileage !== 'number' || older === null) return []
  const [now, before] = [mileage.toLocaleString('en-US'), older.toLocaleString('en-US')]
  if (mileage < older)
    return [warning('lower_mileage', field, `${now} is less than the earlier reading of ${before}${consequence}`)]
  if (older < MILEAGE_FLOOR || mileage < MILEAGE_FACTOR * older) return []
  return [
    warning(
      'high_mileage',
      field,
      `${now} is far more than the earlier reading of ${before}; check for an extra digit`,
    ),
  ]
}

/**
 * Saves a record after the user has confirmed its warnings. The codes of the warnings are stored in the audit entry.
 * If a warning is not confirmed, runs `check` in a transaction that is rolled back, and then throws `Warned`. Users
 * therefore see errors before they are asked to confirm warnings.
 * By default, `check` saves the record. For a new record, pass a check that inserts nothing, because a rolled-back
 * insert would use up an id. Such a check covers the rules of the record, but not references.
 * @throws Warned when a warning is not confirmed, and every error that `save` and `check` throw
 */
export async function saveAfterWarnings<T>(
  write: Write,
  warnings: Warning[],
  form: Record<string, unknown>,
  save: (write: Write) => Promise<T>,
  check: (write: Write) => Promise<unknown> = save,
): Promise<T> {
  if (areConfirmed(warnings, form.warnings_seen))
    return save({ ...write, actor: { ...write.actor, accepted: warnings.map(({ code }) => code) } })
  return inTransaction(write, async (write) => {
    await check(write)
    throw new Warned(warnings)
  })
}
