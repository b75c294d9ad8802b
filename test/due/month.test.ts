import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { addDays } from '../../src/platform/clock'
import { testContext } from '../support/context'

/**
 * Plays March 2026 day by day.
 * `EXPECTED` lists by hand which items are on the due list each day.
 */
const [FIRST, LAST] = ['2026-03-01', '2026-03-31']

/** The days of March, inclusive, on which an item is on the due list. */
type Stretch = [kind: string, unit: string, from: number, to: number]
const EXPECTED: Stretch[] = [
  // Arrives on the 5th, so it is late from the 6th; delivered on the 8th.
  ['transport_late', '100001', 6, 7],
  // Late from the 11th, snoozed on the 12th until the 15th, delivered on the 17th.
  ['transport_late', '100002', 11, 11],
  ['transport_late', '100002', 15, 16],
  // The PO is missing from the first day, and is issued on the 10th.
  ['transport_no_po', '100003', 1, 9],
  // Submitted on 20 February: pending for 15 days on 7 March. A follow-up on the 9th without a date changes nothing.
  // The transfer on the 16th ends the item.
  ['title_overdue', '100004', 7, 15],
  // Its last day is the 20th; renewed on the 25th.
  ['registration_expiring', '100005', 1, 20],
  ['registration_expired', '100005', 21, 24],
  // Entered on the 2nd, noted on the 13th, given a next step on the 22nd for the 28th, completed on the 30th.
  ['osl_stale', '100006', 9, 12],
  ['osl_stale', '100006', 20, 21],
  ['osl_stale', '100006', 28, 29],
  // Sold on the 4th; its title is tracked from the 11th, and pending for 15 days on the 26th.
  ['title_missing', '100007', 4, 10],
  ['title_overdue', '100007', 26, 31],
  // Delivered on the 5th without a cost, which comes on the 18th.
  ['transport_no_cost', '100008', 12, 17],
  // Delivered on the 2nd without a cost; on the 14th somebody says why it will have none.
  ['transport_no_cost', '100009', 9, 13],
]

const dateOf = (day: number) => addDays(FIRST, day - 1)

test('during a month, items appear, are snoozed, return and end on the expected days', async () => {
  const h = await testContext()
  const { ben, phoenix, tempe, desert } = h.cast
  const made = async (path: string, values: object) => {
    const { status, body } = await ben.post(path, values)
    expect([path, status, body.message]).toEqual([path, 201, undefined])
    return (body.data as { id: number }).id
  }
  const done = async (call: Promise<{ status: number; body: Record<string, unknown> }>) => {
    const { status, body } = await call
    expect([status < 300, body.message]).toEqual([true, undefined])
  }
  const move = (unit_number: string, more: object = {}) =>
    made('/transports', {
      unit_number,
      location_out_id: phoenix,
      location_in_id: tempe,
      transport_company_id: desert,
      move_date: FIRST,
      status: 'In Transit',
      ...more,
    })
  const ids: Record<string, number> = {}
  const changeMove = (unit: string, change: object) => done(ben.put(`/transports/${ids[unit]}`, change))

  const ACTS: Record<number, () => Promise<unknown>> = {
    1: async () => {
      ids['100001'] = await move('100001', { estimated_arrival_date: dateOf(5) })
      ids['100002'] = await move('100002', { estimated_arrival_date: dateOf(10) })
      ids['100003'] = await move('100003', { issue_po: true })
      ids['100004'] = await made('/titles', {
        unit_number: '100004',
        location_id: phoenix,
        submitted_date: '2026-02-20',
      })
      ids['100005'] = await made('/registrations', {
        unit_number: '100005',
        location_id: phoenix,
        plate_number: 'CDA4821',
        state_province: 'AZ',
        date_issued: '2025-03-20',
        date_expires: dateOf(20),
      })
    },
    2: async () => {
      ids['100006'] = await made('/osl', {
        unit_number: '100006',
        osl_date: dateOf(2),
        location_id: phoenix,
        problem: 'Transmission slips in third gear',
      })
      ids['100009'] = await move('100009', { status: 'Delivered', actual_arrival_date: dateOf(2) })
    },
    4: () => move('100007', { status: 'Delivered', actual_arrival_date: dateOf(4), move_type: 'Sales', final_cost: 1 }),
    5: async () => {
      ids['100008'] = await move('100008', { status: 'Delivered', actual_arrival_date: dateOf(5) })
    },
    8: () => changeMove('100001', { status: 'Delivered', final_cost: 300 }),
    9: () => done(ben.post(`/titles/${ids['100004']}/chase`, { note_text: 'Called the dealer' })),
    10: () => done(ben.post(`/transports/${ids['100003']}/po`)),
    11: () => made('/titles', { unit_number: '100007', location_id: phoenix, submitted_date: dateOf(11) }),
    12: () => made(`/due/transport_late/${ids['100002']}/snooze`, { until: dateOf(15) }),
    13: () => made(`/osl/${ids['100006']}/notes`, { note_text: 'Waits for a gearbox' }),
    14: () => made(`/due/transport_no_cost/${ids['100009']}/snooze`, { reason: 'Our own driver' }),
    16: () => done(ben.put(`/titles/${ids['100004']}`, { transferred_date: dateOf(16) })),
    17: () => changeMove('100002', { status: 'Delivered', final_cost: 280 }),
    18: () => changeMove('100008', { final_cost: 150 }),
    22: () => done(ben.put(`/osl/${ids['100006']}`, { next_action: 'Fit it', next_action_on: dateOf(28) })),
    25: () => made(`/registrations/${ids['100005']}/renew`, {}),
    30: () => done(ben.patch(`/osl/${ids['100006']}/status`, { status: 'Completed' })),
  }

  for (let day = 1; dateOf(day) <= LAST; day++) {
    const noon = new Date(`${dateOf(day)}T19:00:00Z`)
    h.clock.set(noon)
    // Extends the session instead of a sign-in each morning.
    const until = new Date(noon.getTime() + 3_600_000).toISOString()
    await h.ctx.db.execute(sql`update sessions set last_seen_at = ${noon.toISOString()}, expires_at = ${until}`)
    await ACTS[day]?.()
    const list = (await ben.get('/due?per_page=500')).body.data as unknown as { kind: string; unit_number: string }[]
    const standing = list.map(({ kind, unit_number }) => `${kind} ${unit_number}`)
    const expected = EXPECTED.filter(([, , from, to]) => from <= day && day <= to).map(
      ([kind, unit]) => `${kind} ${unit}`,
    )
    expect([dateOf(day), standing.sort()]).toEqual([dateOf(day), expected.sort()])
    const { total, ...kinds } = (await ben.get('/due/counts')).body.data as unknown as Record<string, number>
    expect([total, Object.values(kinds).reduce((sum, count) => sum + count, 0)]).toEqual([list.length, list.length])
    const head = (await ben.open('/dashboard')).find('.due-panel h2')
    expect([dateOf(day), head]).toEqual([dateOf(day), list.length ? [`Due: ${list.length}`] : head])
  }
})
