import { type CheckedLine, cents, moreOrLess } from './checked-line'
import type { MoveLine } from './rules'

/** A transport that the invoicing company delivered within the invoice period. */
export type Move = {
  transport_id: number
  unit_number: string
  /** ISO date, as in `2026-02-03`. */
  move_date: string
  /** Final cost in dollars. Without a final cost, this is the estimated cost. Null if both are missing. */
  cost: number | null
  isEstimate: boolean
  /** Unit number, move date and locations as one text. Transports with the same text are probably duplicates. */
  route: string
}

type MoveRecords = {
  moves: Move[]
  /** Maps a transport id to earlier invoices that bill this transport. */
  billedBefore: Map<number, EarlierInvoices>
  /**
   * Lines that the transport company cannot bill, each with the reason.
   * The company did not deliver the units of these lines within the invoice period.
   */
  elsewhere: Map<MoveLine, Elsewhere>
}

/**
 * Reason why a transport company cannot bill a line.
 * `reason` describes one transport of the unit, if there is any.
 * - `transport_id`: id of this transport. Null for a transport of another company, and for a transport outside the
 *   invoice period if the line states a different move date.
 * - `move_date`: move date of this transport. Null for a transport of another company.
 * - `earlier`: invoices that already bill this transport.
 */
export type Elsewhere = {
  reason: string
  transport_id: number | null
  move_date: string | null
  earlier?: EarlierInvoices | undefined
}

const shortDate = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`

/** Earlier invoices that bill a record. The labels in `label` are separated by `; `. */
export type EarlierInvoices = { ids: number[]; label: string }

/**
 * Picks the transport that an invoice line most likely bills.
 * Prefers transports that no earlier invoice bills, then transports whose cost equals the billed amount, then the
 * earliest transport.
 */
function likeliest({ amount }: MoveLine, moves: Move[], { billedBefore }: MoveRecords): Move | undefined {
  const rank = (move: Move) =>
    Number(!billedBefore.has(move.transport_id)) * 2 + Number(move.cost !== null && cents(move.cost) === cents(amount))
  return moves.toSorted((a, b) => rank(b) - rank(a) || a.move_date.localeCompare(b.move_date))[0]
}

function difference({ amount, move_date }: MoveLine, move: Move, records: MoveRecords): string | null {
  const before = records.billedBefore.get(move.transport_id)
  if (before) return `Already billed on ${before.label}`
  if (move.cost === null) return `No cost is recorded for the move on ${shortDate(move.move_date)}`
  const differences = [
    move_date && move_date !== move.move_date
      ? `billed for ${shortDate(move_date)}, our records show ${shortDate(move.move_date)}`
      : null,
    cents(amount) === cents(move.cost)
      ? null
      : `${moreOrLess(amount, move.cost)}${move.isEstimate ? ', which is an estimate' : ''}`,
  ].filter((part) => part !== null)
  return differences.length ? differences.join('; ') : null
}

const sameRoute = ({ move_date }: Move) =>
  `Billed twice for the same route on ${shortDate(move_date)}. Check whether the transport was entered twice`

/** Values of a line that bills a transport. Such a line has no OSL entry (out-of-service period). */
const ONLY_TRANSPORT = { osl_id: null, osl_ids: [], billed_on: [] }

/** Returns days as a Postgres multirange, such as `{[2026-02-03,2026-02-03]}`. Null if no day is known. */
function setOf(days: (string | null | undefined)[]): string | null {
  const knownDays = days.filter(Boolean)
  return knownDays.length > 0 ? `{${knownDays.map((day) => `[${day},${day}]`).join(',')}}` : null
}

export function checkMoves(lines: MoveLine[], records: MoveRecords): CheckedLine[] {
  const byUnit = Map.groupBy(records.moves, ({ unit_number }) => unit_number)
  const unmatched = new Set(records.moves)
  const matches = new Map<MoveLine, Move>()
  const take = (line: MoveLine, isMatch: (move: Move) => boolean) => {
    const moves = (byUnit.get(line.unit_number) ?? []).filter((move) => unmatched.has(move) && isMatch(move))
    const move = likeliest(line, moves, records)
    if (!move) return
    unmatched.delete(move)
    matches.set(line, move)
  }
  // Match each invoice line to a transport of the same unit in three passes: first by date, then by cost. In the last
  // pass, any remaining transport of the unit matches.
  for (const line of lines) if (line.move_date) take(line, ({ move_date }) => move_date === line.move_date)
  const isOpen = (line: MoveLine) => !matches.has(line)
  for (const line of lines.filter(isOpen)) take(line, ({ cost }) => cost !== null && cents(cost) === cents(line.amount))
  for (const line of lines.filter(isOpen)) take(line, () => true)

  const explained = new Set<number>()
  const billedRoutes = new Set<string>()
  const checked = lines.map((line): CheckedLine => {
    const { unit_number, amount } = line
    const move = matches.get(line)
    const earlier = move && records.billedBefore.get(move.transport_id)
    const base = {
      ...ONLY_TRANSPORT,
      unit_number,
      transport_id: move?.transport_id ?? null,
      amount,
      expected: 0,
      billed_on: earlier?.ids ?? [],
      billed_days: setOf([move?.move_date, line.move_date]),
    }
    if (move) {
      const isRepeated = billedRoutes.has(move.route)
      billedRoutes.add(move.route)
      const reason = !earlier && isRepeated ? sameRoute(move) : difference(line, move, records)
      return {
        ...base,
        expected: earlier || isRepeated ? 0 : (move.cost ?? 0),
        status: reason === null ? 'matched' : 'differs',
        reason,
      }
    }
    const oneTooMany = `Unit ${unit_number} is billed more times than it was moved`
    if (byUnit.has(unit_number)) return { ...base, status: 'differs', reason: oneTooMany }
    // Link a transport outside the period to only one invoice line. Otherwise, a user could accept two lines for it,
    // and the transport would be paid twice.
    const elsewhere: Elsewhere = records.elsewhere.get(line) ?? {
      reason: `Unit ${unit_number} is not in the vehicle list`,
      transport_id: null,
      move_date: null,
    }
    const { transport_id, move_date } = elsewhere
    if (transport_id !== null && explained.has(transport_id)) return { ...base, status: 'not_ours', reason: oneTooMany }
    if (transport_id !== null) explained.add(transport_id)
    return {
      ...base,
      transport_id,
      billed_on: elsewhere.earlier?.ids ?? [],
      billed_days: setOf([move_date, line.move_date]),
      status: 'not_ours',
      reason: elsewhere.earlier
        ? `${elsewhere.reason}. Already billed on ${elsewhere.earlier.label}`
        : elsewhere.reason,
    }
  })
  const missing = [...unmatched].filter(({ transport_id }) => !records.billedBefore.has(transport_id))
  return [
    ...checked,
    ...missing.map(
      ({ unit_number, transport_id, cost, move_date }): CheckedLine => ({
        ...ONLY_TRANSPORT,
        unit_number,
        transport_id,
        billed_days: null,
        amount: null,
        expected: cost ?? 0,
        status: 'not_billed',
        reason: `Moved ${shortDate(move_date)}`,
      }),
    ),
  ]
}
