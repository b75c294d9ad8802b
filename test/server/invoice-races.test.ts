import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { idOf, moves, ROUNDS } from '../support/races'

/** Invoices that two people, or two instances, change at the same moment on a server. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const move = moves(() => h)

describe('invoices of a transport company at the same time', () => {
  const PERIOD = { start_date: '2026-03-01', end_date: '2026-03-31' }
  const units = Array.from({ length: 20 }, (_, n) => String(100_000 + n))
  const path = () => `/transport-companies/${h.cast.desert}/invoices`
  const bill = (number: string, billed: string[]) =>
    h.cast.ada.post(path(), { number, ...PERIOD, lines: billed.map((unit_number) => ({ unit_number, amount: 100 })) })
  const deliver = async () => {
    for (const unit of units)
      await h.cast.ada.post(
        '/transports',
        move(unit, { status: 'Delivered', final_cost: 100, actual_arrival_date: '2026-03-02' }),
      )
  }
  type Line = { id: number; unit_number: string; status: string; decision: string | null }
  type Invoice = { id: number; lines: Line[] }
  const invoiceOf = ({ body }: { body: Record<string, unknown> }) => body.data as Invoice

  test('bill a transport only once', async () => {
    await deliver()
    const sent = await Promise.all(['A', 'B', 'C'].map((number) => bill(number, units.slice(0, 1))))
    const matched = sent.map((answer) => invoiceOf(answer).lines.filter(({ status }) => status === 'matched').length)
    expect(matched.sort()).toEqual([0, 0, 1])
  })

  test('name each other if a move was entered for both companies', async () => {
    const other = await h.cast.ada.post('/transport-companies', { company_name: 'Second Hauler' })
    const companies = [h.cast.desert, idOf(other)]
    for (let round = 0; round < ROUNDS; round++) {
      const unit = units[round] as string
      for (const transport_company_id of companies)
        await h.cast.ada.post('/transports', {
          ...move(unit, { status: 'Delivered', final_cost: 100, actual_arrival_date: '2026-03-02' }),
          transport_company_id,
        })
      const lines = [{ unit_number: unit, amount: 100 }]
      const sent = await Promise.all(
        companies.map((company) =>
          h.cast.ada.post(`/transport-companies/${company}/invoices`, { number: `R${round}`, ...PERIOD, lines }),
        ),
      )
      const billed = sent.flatMap((answer) => invoiceOf(answer).lines.filter(({ unit_number }) => unit_number === unit))
      expect(billed.map(({ status }) => status).sort()).toEqual(['differs', 'matched'])
    }
  })

  test('keep a dispute while the other lines are accepted', async () => {
    await deliver()
    const { id, lines } = invoiceOf(await bill('A', units))
    const accepting = h.cast.ada.post(`${path()}/${id}/accept-matched`)
    const disputes = await Promise.all(
      lines
        .slice(-3)
        .map((line) => h.cast.ada.patch(`${path()}/${id}/lines/${line.id}`, { decision: 'disputed', version: 1 })),
    )
    await accepting
    const stored = invoiceOf(await h.cast.ada.get(`${path()}/${id}`)).lines.slice(-3)
    const expected = disputes.map(({ status }) => (status === 200 ? 'disputed' : 'accepted'))
    expect(stored.map(({ decision }) => decision)).toEqual(expected)
  })

  test('and deletions of its transports do not wait for each other', async () => {
    await deliver()
    const { id, lines } = invoiceOf(await bill('A', units))
    const found = (await h.cast.ada.get('/transports?per_page=500&sort=unit_number')).body.data as unknown as {
      id: number
    }[]
    const sent = await Promise.all(
      found.flatMap((transport, at) => [
        h.cast.ada.delete(`/transports/${transport.id}`),
        h.cast.ada.patch(`${path()}/${id}/lines/${lines[at]?.id}`, { decision: 'accepted' }),
      ]),
    )
    expect(sent.filter(({ status }) => status >= 500)).toEqual([])
  })
})
