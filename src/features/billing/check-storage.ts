import { type CheckedLine, cents, dollars, moreOrLess } from './checked-line'
import type { StorageLine } from './rules'
import type { ExpectedCharge } from './statement'

const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

/**
 * Describes how a billed storage charge differs from our records.
 * Uses the first explanation that fits:
 * 1. The line states a number of days or a daily rate that differs from ours.
 * 2. The amount is our daily rate multiplied by a different number of days, such as `3 days at $20`.
 * 3. The amount is our number of days multiplied by a different daily rate.
 * 4. The amount is a number of dollars more or less than ours.
 */
function difference({ amount, days, daily_rate }: StorageLine, record: ExpectedCharge, periodDays: number): string {
  const [billed, rate] = [cents(amount), cents(record.daily_rate)]
  // Compare the daily rate only if our charge is the number of days multiplied by one rate. With several rates or a
  // waiver, there is no single rate to compare.
  const isPlain = cents(record.expected) === record.days * rate
  const differences = [
    days !== null && days !== record.days ? `billed ${inDays(days)}, our records show ${inDays(record.days)}` : null,
    isPlain && daily_rate !== null && cents(daily_rate) !== rate
      ? `billed at ${dollars(daily_rate)} a day, our rate is ${dollars(record.daily_rate)}`
      : null,
  ].filter((part) => part !== null)
  if (differences.length) return differences.join('; ')
  if (isPlain && rate > 0 && billed % rate === 0 && billed / rate <= periodDays)
    return `${inDays(billed / rate)} at ${dollars(record.daily_rate)}, our records show ${inDays(record.days)}`
  if (isPlain && record.days > 0 && billed % record.days === 0)
    return (
      `${dollars(billed / record.days / 100)} a day for ${inDays(record.days)}, our rate is ` +
      `${dollars(record.daily_rate)}`
    )
  return moreOrLess(amount, record.expected)
}

/** Consecutive storage days at one rate, with the amount in dollars. A run is one line of our storage statement. */
type Run = { from: string; to: string; amount: number }

type StorageRecords = {
  /** Number of days in the invoice period, including both dates. No invoice line can bill more days than this. */
  periodDays: number
  records: Map<string, ExpectedCharge>
  /** Lines of our storage statement for the invoice period, by unit number. */
  runs: Map<string, Run[]>
  /** Units that this vendor cannot bill. Maps the unit number to the reason. */
  elsewhere: Map<string, OtherStay>
}

/** Why a vendor cannot bill a unit in the invoice period. */
export type OtherStay = {
  reason: string
  /** OSL entry that `reason` describes. Null if the vendor does not charge for the entry. */
  osl_id: number | null
  /**
   * Days that the invoice line bills, as a Postgres multirange. Null if `osl_id` is null.
   * These are the days of the invoice period. If the OSL entry ended before the invoice period, the days of the OSL
   * entry are included too.
   */
  billed_days: string | null
  /** Ids of the invoices that already bill the OSL entry `osl_id`. */
  billed_on: number[]
  /** Labels of the invoices in `billed_on`, separated by `; `. Null if there are none. */
  billedBefore: string | null
}

/** Part of a unit's expected storage charge, in cents. `days` is a Postgres multirange, or null if unknown. */
type Share = { expected: number; days: string | null }

/**
 * Splits a unit's expected storage charge among its invoice lines, in cents.
 * - If the billed amounts add up to the charge, each line gets its own amount.
 * - Otherwise, a line with the same amount as a line of our statement gets this amount. Of the remaining lines, the
 *   first gets the rest of the charge, and the others get 0.
 * `days` are the days of the statement line with the same amount. If only some lines have such a statement line, the
 * remaining lines get the remaining days of the statement.
 */
function shared(lines: StorageLine[], own: ExpectedCharge | undefined, runs: Run[]): Map<StorageLine, Share> {
  const expected = cents(own?.expected ?? 0)
  const sum = (all: number[]) => all.reduce((total, one) => total + one, 0)
  const runAmounts = runs.map(({ amount }) => cents(amount))
  // Match billed amounts with the lines of our statement only if the statement adds up to the expected charge. If it
  // does not, some days of the statement are already billed or waived.
  const openRuns = sum(runAmounts) === expected && runAmounts.every((run) => run > 0) ? [...runs] : []
  const daysOf = (some: Run[]) => `{${some.map(({ from, to }) => `[${from},${to}]`).join()}}`
  const [only, second] = lines
  if (only && !second) {
    const run = openRuns.find(({ amount }) => cents(amount) === cents(only.amount))
    return new Map([[only, { expected, days: run ? daysOf([run]) : null }]])
  }
  const shares = new Map<StorageLine, Share>()
  for (const line of lines) {
    const at = openRuns.findIndex(({ amount }) => cents(amount) === cents(line.amount))
    const [run] = at >= 0 ? openRuns.splice(at, 1) : []
    if (run) shares.set(line, { expected: cents(run.amount), days: daysOf([run]) })
  }
  const others = lines.filter((line) => !shares.has(line))
  const isWhole = sum(lines.map(({ amount }) => cents(amount))) === expected
  const rest = expected - sum([...shares.values()].map((share) => share.expected))
  const restDays = shares.size > 0 && openRuns.length > 0 ? daysOf(openRuns) : null
  for (const line of others)
    shares.set(line, { expected: isWhole ? cents(line.amount) : line === others[0] ? rest : 0, days: restDays })
  return shares
}

export function checkStorage(
  lines: StorageLine[],
  { periodDays, records, runs, elsewhere }: StorageRecords,
): CheckedLine[] {
  const byUnit = Map.groupBy(lines, ({ unit_number }) => unit_number)
  const shares = new Map([...byUnit].map(([unit, all]) => [unit, shared(all, records.get(unit), runs.get(unit) ?? [])]))
  const explained = new Set<string>()
  const checked = lines.map((line): CheckedLine => {
    const { unit_number, amount } = line
    const own = records.get(unit_number)
    const base = {
      unit_number,
      osl_id: own?.osl_id ?? null,
      osl_ids: own?.osl_ids ?? [],
      transport_id: null,
      amount,
      expected: 0,
      billed_on: own?.billed_on ?? [],
      billed_days: null,
    }
    if (!own) {
      const other = elsewhere.get(unit_number)
      const isFirst = !explained.has(unit_number)
      explained.add(unit_number)
      if (!isFirst)
        return {
          ...base,
          status: 'not_ours',
          reason: `Unit ${unit_number} appears on this invoice more than once`,
        }
      const reason = other?.reason ?? `Unit ${unit_number} is not in the vehicle list`
      return {
        ...base,
        osl_id: other?.osl_id ?? null,
        osl_ids: other?.osl_id ? [other.osl_id] : [],
        billed_on: other?.billed_on ?? [],
        billed_days: other?.billed_days ?? null,
        status: 'not_ours',
        reason: other?.billedBefore ? `${reason}. Already billed on ${other.billedBefore}` : reason,
      }
    }
    const { billedBefore: before } = own
    if (before && own.expected === 0) return { ...base, status: 'differs', reason: `Already billed on ${before}` }
    const share = shares.get(unit_number)?.get(line)
    const expected = (share?.expected ?? 0) / 100
    // A line without an amount bills no days.
    const open = amount === 0 || cents(amount) > cents(expected) ? null : own.open_days
    const charged = { ...base, expected, billed_days: share?.days ?? open }
    const overlap =
      own.overlap && `Another stay of unit ${unit_number} has storage fees for some of these days: ${own.overlap}`
    if (cents(amount) === cents(expected))
      return overlap
        ? { ...charged, status: 'differs', reason: overlap }
        : { ...charged, status: 'matched', reason: null }
    const others = before ? `Partly billed already on ${before}; ` : ''
    const several = (byUnit.get(unit_number)?.length ?? 0) > 1
    const reason = !several
      ? difference(line, own, periodDays)
      : expected > 0
        ? moreOrLess(amount, expected)
        : `Unit ${unit_number} appears on this invoice more than once`
    return { ...charged, status: 'differs', reason: [others + reason, overlap].filter(Boolean).join('. ') }
  })
  const missing = [...records.values()].filter(({ unit_number, expected }) => expected > 0 && !byUnit.has(unit_number))
  return [
    ...checked,
    ...missing.map(
      ({ unit_number, osl_id, osl_ids, billed_on, expected }): CheckedLine => ({
        unit_number,
        osl_id,
        osl_ids,
        billed_on,
        billed_days: null,
        transport_id: null,
        amount: null,
        expected,
        status: 'not_billed',
        reason: null,
      }),
    ),
  ]
}
