import { beforeEach, describe, expect, test } from 'bun:test'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { makeTransport } from '../support/entries'
import { acceptMatchedLines, decideLine, type Invoice, storeInvoice } from '../support/invoices'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const DESERT = 1

/** Delivers a unit of the company Desert Auto Haul on 3 February 2026. */
const move = (unit_number: string, more: object = {}) => {
  const delivery = { status: 'Delivered', move_date: '2026-02-03', actual_arrival_date: '2026-02-03' }
  return makeTransport(h.cast, { unit_number, ...delivery, ...more })
}
const costOf = async (id: number) =>
  ((await h.cast.ada.get(`/transports/${id}`)).body.data as unknown as { final_cost: number | null }).final_cost

/** Stores an invoice for February 2026. `biller` is the path of a transport company or vendor. */
const bill = (number: string, lines: object[], more: object = {}, biller = `/transport-companies/${DESERT}`) =>
  storeInvoice(h.cast, biller, { number, lines, ...more })
const decide = (invoice: Invoice, decision: string | null, at = 0) => decideLine(h.cast, invoice, decision, at)
const acceptMatched = (invoice: Invoice) => acceptMatchedLines(h.cast, invoice)

describe('an undo', () => {
  test('of a bulk edit keeps the final cost that an accepted line bills', async () => {
    const [billed, other] = [await move('100001'), await move('100002')]
    const { body } = await h.cast.ben.post('/transports/bulk', { ids: [billed, other], set: { final_cost: 250 } })
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 250 }]))
    const undone = await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
    expect(undone.body.data).toMatchObject({
      changed: 1,
      skipped: [
        { id: billed, reason: 'An invoice line for this transport has been accepted. Undo the acceptance first.' },
      ],
    })
    expect([await costOf(billed), await costOf(other)]).toEqual([250, null])
  })

  test('does not show users without cost access whether a guess is the billed amount', async () => {
    const id = await move('100001', { final_cost: 137.5 })
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 137.5 }]))
    await h.cast.ada.put('/settings', { cost_viewers: 'Administrators', current_password: PASSWORD })
    const guess = async (first: number, second: number) => {
      for (const final_cost of [first, second])
        await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost } })
      const { body } = await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost: second + 1 } })
      const undone = await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
      return { ...(undone.body.data as object), id: undefined }
    }
    expect(await guess(137.5, 100)).toEqual(await guess(99, 137.5))
  })

  test('of a bulk edit restores a cost that differs from the accepted line', async () => {
    const id = await move('100001', { final_cost: 100 })
    await decide(await bill('A', [{ unit_number: '100001', amount: 105 }]), 'accepted')
    const { body } = await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost: 1 } })
    await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
    expect(await costOf(id)).toBe(100)
  })

  test('of a bulk edit restores the final cost that an accepted line has set', async () => {
    const id = await move('100001')
    await decide(await bill('A', [{ unit_number: '100001', amount: 100 }]), 'accepted')
    const { body } = await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost: 999 } })
    await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
    expect(await costOf(id)).toBe(100)
  })

  test('of an import keeps the final cost that an accepted line bills', async () => {
    const [billed, other] = [await move('100001'), await move('100002')]
    const rows = ['100001', '100002'].map((unit) => `${unit},PHX,TMP,2026-02-03,Desert Auto Haul,Delivered,700`)
    const header = 'unit_number,location_out,location_in,move_date,transport_company,status,final_cost'
    const { id } = await h.cast.ben.begin('transports', 'costs.csv', [header, ...rows, ''].join('\n'))
    await h.cast.ben.put(`/files/${id}`, { existing: 'update' })
    await h.cast.ben.settled(id)
    await h.cast.ben.post(`/files/${id}/commit`)
    expect(await h.cast.ben.settled(id)).toMatchObject({ updated: 2 })
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 700 }]))
    await h.cast.ben.post(`/files/${id}/undo`)
    expect(await h.cast.ben.settled(id)).toMatchObject({ undo: { kept: [{ id: billed }] } })
    expect([await costOf(billed), await costOf(other)]).toEqual([700, null])
  })
})
