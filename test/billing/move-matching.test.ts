import { describe, expect, test } from 'bun:test'
import { COMPANY } from '../../src/features/billing/billers'
import { checkMoves, type Move } from '../../src/features/billing/check-moves'
import { pastedLines } from '../../src/features/billing/pasted-lines'
import { linesOfSheet } from '../../src/features/billing/sheet'
import { testContext } from '../support/context'

describe('move matching', () => {
  const move = (transport_id: number, move_date: string, cost: number | null, isEstimate = false): Move => ({
    transport_id,
    unit_number: '100001',
    move_date,
    cost,
    isEstimate,
    route: String(transport_id),
  })
  const line = (amount: number, move_date: string | null = null) => ({ unit_number: '100001', amount, move_date })
  const matchLines = (lines: ReturnType<typeof line>[], ours: Move[], billed: [number, string][] = []) =>
    checkMoves(lines, {
      moves: ours,
      billedBefore: new Map(billed.map(([id, label]) => [id, { ids: [9], label }])),
      elsewhere: new Map(),
    }).map(({ transport_id, status, expected, reason }) => [transport_id, status, expected, reason])
  const [early, late] = [move(1, '2026-02-03', 100), move(2, '2026-02-20', 250)]

  test('pairs lines by cost, by date and with the remaining moves', () => {
    expect(matchLines([line(250), line(100)], [early, late])).toEqual([
      [2, 'matched', 250, null],
      [1, 'matched', 100, null],
    ])
    expect(matchLines([line(100, '2026-02-20'), line(250, '2026-02-03')], [early, late])).toEqual([
      [2, 'differs', 250, '$150.00 less than our amount'],
      [1, 'differs', 100, '$150.00 more than our amount'],
    ])
    expect(matchLines([line(99.99), line(250)], [early, late])).toEqual([
      [1, 'differs', 100, '$0.01 less than our amount'],
      [2, 'matched', 250, null],
    ])
    expect(matchLines([line(7)], [late, early])[0]).toEqual([1, 'differs', 100, '$93.00 less than our amount'])
  })
  test('gives priority to lines with a date', () => {
    const [twin] = [move(3, '2026-02-20', 100)]
    expect(matchLines([line(100), line(100, '2026-02-03')], [early, twin])).toEqual([
      [3, 'matched', 100, null],
      [1, 'matched', 100, null],
    ])
  })
  test('prefers equal cost and unbilled moves among moves of one date', () => {
    const day = '2026-02-03'
    const [cheap, dear] = [move(1, day, 100), move(2, day, 250)]
    for (const ours of [
      [cheap, dear],
      [dear, cheap],
    ]) {
      expect(matchLines([line(250, day)], ours)).toEqual([
        [2, 'matched', 250, null],
        [1, 'not_billed', 100, 'Moved 02/03/2026'],
      ])
      expect(matchLines([line(100, day)], ours)[0]).toEqual([1, 'matched', 100, null])
      expect(matchLines([line(250, day)], ours, [[2, 'invoice A']])).toEqual([
        [1, 'differs', 100, '$150.00 more than our amount'],
      ])
    }
    expect(matchLines([line(100)], [cheap, move(3, day, 100)])[0]?.[0]).toBe(1)
  })
  test('gives priority to lines with an exact cost', () => {
    expect(matchLines([line(99.99), line(250)], [move(1, '2026-02-03', 250), move(2, '2026-02-20', 100)])).toEqual([
      [2, 'differs', 100, '$0.01 less than our amount'],
      [1, 'matched', 250, null],
    ])
  })
  test('reports a different date even if the cost is equal', () => {
    expect(matchLines([line(100, '2026-02-04')], [early])).toEqual([
      [1, 'differs', 100, 'billed for 02/04/2026, our records show 02/03/2026'],
    ])
    expect(matchLines([line(110, '2026-02-04')], [early])).toEqual([
      [1, 'differs', 100, 'billed for 02/04/2026, our records show 02/03/2026; $10.00 more than our amount'],
    ])
  })
  test('marks estimates and reports moves without a cost', () => {
    expect(matchLines([line(90)], [move(1, '2026-02-03', 100, true)])).toEqual([
      [1, 'differs', 100, '$10.00 less than our amount, which is an estimate'],
    ])
    expect(matchLines([line(100)], [move(1, '2026-02-03', 100, true)])[0]?.[1]).toBe('matched')
    expect(matchLines([line(90)], [move(1, '2026-02-03', null)])).toEqual([
      [1, 'differs', 0, 'No cost is recorded for the move on 02/03/2026'],
    ])
    expect(matchLines([], [move(1, '2026-02-03', null)])).toEqual([[1, 'not_billed', 0, 'Moved 02/03/2026']])
  })
  test('uses already billed moves last and expects no payment for them', () => {
    const billed: [number, string][] = [[1, 'invoice A']]
    expect(matchLines([line(100)], [early, move(2, '2026-02-20', 100)], billed)).toEqual([[2, 'matched', 100, null]])
    expect(matchLines([line(100), line(250)], [early, late], billed)).toEqual([
      [1, 'differs', 0, 'Already billed on invoice A'],
      [2, 'matched', 250, null],
    ])
    expect(matchLines([], [early, late], billed)).toEqual([[2, 'not_billed', 250, 'Moved 02/20/2026']])
  })
  test('reports more lines than moves', () => {
    expect(matchLines([line(100), line(100)], [early])[1]).toEqual([
      null,
      'differs',
      0,
      'Unit 100001 is billed more times than it was moved',
    ])
  })
  test('reports the second line for transports of one route on one day', () => {
    const [first, copy] = [early, move(3, '2026-02-03', 100)].map((one) => ({ ...one, route: '1 2' }))
    expect(matchLines([line(100), line(100)], [first, copy] as Move[])).toEqual([
      [1, 'matched', 100, null],
      [3, 'differs', 0, 'Billed twice for the same route on 02/03/2026. Check whether the transport was entered twice'],
    ])
    expect(matchLines([line(100)], [first, copy] as Move[])[1]).toEqual([3, 'not_billed', 100, 'Moved 02/03/2026'])
  })
  test('assigns a move outside the period to the first line only', () => {
    const lines = [line(100), line(100)]
    const elsewhere = new Map(
      lines.map((one) => [one, { reason: 'Moved 01/20/2026', transport_id: 9, move_date: '2026-01-20' }]),
    )
    const checked = checkMoves(lines, { moves: [], billedBefore: new Map(), elsewhere })
    expect(checked.map(({ transport_id, status, reason }) => [transport_id, status, reason])).toEqual([
      [9, 'not_ours', 'Moved 01/20/2026'],
      [null, 'not_ours', 'Unit 100001 is billed more times than it was moved'],
    ])
  })
  test('handles 2,000 lines and 10,000 moves', () => {
    const ours = Array.from({ length: 10_000 }, (_, at) => ({
      ...move(at, '2026-02-03', at % 50),
      unit_number: String(at % 100).padStart(6, '0'),
    }))
    const lines = Array.from({ length: 2000 }, (_, at) => ({
      ...line(1),
      unit_number: String(at % 100).padStart(6, '0'),
    }))
    expect(checkMoves(lines, { moves: ours, billedBefore: new Map(), elsewhere: new Map() })).toHaveLength(10_000)
  })
})

describe('transport invoice lines', () => {
  test('can be pasted with or without a move date', () => {
    expect(
      pastedLines(
        'Unit  Date  Amount\n100001\t2/3/2026\t$1,250.50\n7 99\nTotal 1349.50',
        COMPANY.writing,
        '2026-03-14',
      ),
    ).toEqual([
      { unit_number: '100001', move_date: '2026-02-03', amount: '$1,250.50' },
      { unit_number: '000007', amount: '99' },
    ])
    // A comma after the unit separates cells. If a line has tabs, only tabs separate. A blank after `$` never does.
    expect(
      pastedLines('100998,598.45\n100999\t $ 1,450.00\n100997; 2/3/2026 ;1\n100996 $ 7', COMPANY.writing, '2026-03-14'),
    ).toEqual([
      { unit_number: '100998', amount: '598.45' },
      { unit_number: '100999', amount: '$1,450.00' },
      { unit_number: '100997', move_date: '2026-02-03', amount: '1' },
      { unit_number: '100996', amount: '$7' },
    ])
    const refusal = (text: string) => {
      try {
        return pastedLines(text, COMPANY.writing, '2026-03-14')
      } catch (error) {
        return (error as { errors: { message: string }[] }).errors[0]?.message
      }
    }
    expect(refusal('100001 1 2 3')).toBe(
      'Line 1: enter unit and amount, or unit, move date (3/2/2026) and amount, separated by spaces',
    )
    expect(refusal('Unit Amount\n100001 5\nfoo bar\nTotal 5')).toBe('Line 3: Unit number: 6 digits required')
    expect(refusal('100001 5\n100002 soon 5')).toBe('Line 2: Must be a date, for example 2026-01-31')
    // A first line with one cell without digits is a record, not a heading.
    expect(refusal('100002 soon 5\n100001 5')).toBe('Line 1: Must be a date, for example 2026-01-31')
  })
  test('can be read from a sheet with a move date column', async () => {
    const sheet = 'Invoice,T-1\nInvoice date,Vehicle,Pickup date,Charge\n3/1/2026,100001,2/3/2026,350\n'
    const { ctx } = await testContext()
    expect((await linesOfSheet(ctx, COMPANY, new File([sheet], 'bill.csv'))).lines).toEqual([
      { unit_number: '100001', move_date: '2026-02-03', amount: '350' },
    ])
  })
})
