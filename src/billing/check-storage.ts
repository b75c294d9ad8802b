import { type CheckedLine, cents, dollars, moreOrLess } from './checked-line'
import type { StorageLine } from './rules'
import type { Ours } from './statement'

/** A vendor's invoice for storage against our own log; pure. */

const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

/** Says whether days or rate differ: as they were billed, or as the amount tells. */
function difference({ amount, days, daily_rate }: StorageLine, ours: Ours, periodDays: number): string {
  const said = [
    days !== null && days !== ours.days ? `billed ${inDays(days)}, ours are ${inDays(ours.days)}` : null,
    daily_rate !== null && cents(daily_rate) !== cents(ours.daily_rate)
      ? `billed at ${dollars(daily_rate)} a day, ours is ${dollars(ours.daily_rate)}`
      : null,
  ].filter((part) => part !== null)
  if (said.length) return said.join('; ')
  const [billed, rate] = [cents(amount), cents(ours.daily_rate)]
  const isPlain = cents(ours.expected) === ours.days * rate
  if (isPlain && rate > 0 && billed % rate === 0 && billed / rate <= periodDays)
    return `${inDays(billed / rate)} at ${dollars(ours.daily_rate)}, ours are ${inDays(ours.days)}`
  if (isPlain && ours.days > 0 && billed % ours.days === 0)
    return `${dollars(billed / ours.days / 100)} a day for ${inDays(ours.days)}, ours is ${dollars(ours.daily_rate)}`
  return moreOrLess(amount, ours.expected)
}

type Known = {
  /** The days of the period, both ends included: nobody can bill more. */
  periodDays: number
  ours: Map<string, Ours>
  /** By unit, the invoice that billed it for days of this period before. */
  billedBefore: Map<string, string>
  /** Why a unit is not this vendor's to bill, where something is known of it. */
  elsewhere: Map<string, string>
}

/** Every billed line with what our log says of it, then what was not billed. */
export function checkStorage(
  lines: StorageLine[],
  { periodDays, ours, billedBefore, elsewhere }: Known,
): CheckedLine[] {
  const seen = new Set<string>()
  const checked = lines.map((line): CheckedLine => {
    const { unit_number, amount } = line
    const own = ours.get(unit_number)
    const isAgain = seen.has(unit_number)
    seen.add(unit_number)
    const base = { unit_number, osl_id: own?.osl_id ?? null, transport_id: null, amount, expected: 0 }
    if (!own) {
      const reason = elsewhere.get(unit_number) ?? `Unit ${unit_number} is not in the vehicle list`
      return { ...base, status: 'not_ours', reason }
    }
    if (isAgain) return { ...base, status: 'differs', reason: `Unit ${unit_number} stands on this invoice twice` }
    const before = billedBefore.get(unit_number)
    if (before) return { ...base, status: 'differs', reason: `Billed before: ${before}` }
    const { expected } = own
    if (cents(amount) === cents(expected)) return { ...base, expected, status: 'matched', reason: null }
    return { ...base, expected, status: 'differs', reason: difference(line, own, periodDays) }
  })
  const missing = [...ours.values()].filter(
    ({ unit_number, expected }) => expected > 0 && !seen.has(unit_number) && !billedBefore.has(unit_number),
  )
  return [
    ...checked,
    ...missing.map(
      ({ unit_number, osl_id, expected }): CheckedLine => ({
        unit_number,
        osl_id,
        transport_id: null,
        amount: null,
        expected,
        status: 'not_billed',
        reason: null,
      }),
    ),
  ]
}
