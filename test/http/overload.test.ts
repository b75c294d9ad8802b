import { beforeEach, describe, expect, test } from 'bun:test'
import { forEachRecord } from '../../src/platform/lists/bulk/queries'
import { FILTERED_LIMIT } from '../../src/platform/lists/bulk/rules'
import { commandWrite } from '../../src/platform/records/transactions'
import { Refusal } from '../../src/platform/refusals'
import { testContext } from '../support/context'
import { textCell, workbook } from '../support/zip'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

describe('a request that would keep the server busy', () => {
  test('is refused as too wide when 150,000 columns are pasted', async () => {
    const answer = await h.cast.ben.submit('/files/paste', { data_type: 'transports', rows: 'to\t'.repeat(150_000) })
    expect([answer.status, answer.text.includes('The table has more than 202 columns')]).toEqual([422, true])
  })

  test('is refused as too long when an invoice has more than 2,000 rows', async () => {
    const rows = Array.from({ length: 2100 }, (_, n) => `<row r="${n + 2}">${textCell(`A${n + 2}`, 'x')}</row>`)
    const file = workbook(`<row r="1">${textCell('A1', 'Unit')}${textCell('B1', 'Amount')}</row>${rows.join('')}`)
    const vendor = (await h.cast.ada.post('/vendors', { vendor_name: 'Axle' })).body.data as { id: number }
    const form = new FormData()
    for (const [name, value] of Object.entries({ number: '1', start_date: '2026-01-01', end_date: '2026-01-31' }))
      form.set(name, value)
    form.set('file', new File([file], 'invoice.xlsx'))
    const response = await h.cast.ada.request(`/api/vendors/${vendor.id}/invoices`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await h.cast.ada.token()}` },
      body: form,
    })
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('more than 2,000 rows')])
  })

  test('is refused when a small workbook repeats a long text in many cells', async () => {
    const cells = (row: number) =>
      Array.from({ length: 20 }, (_, at) => `<c r="${'ABCDEFGHIJKLMNOPQRST'[at]}${row}" t="s"><v>0</v></c>`)
    const headings = Array.from({ length: 20 }, (_, at) =>
      textCell(`${'ABCDEFGHIJKLMNOPQRST'[at]}1`, at ? `c${at}` : 'unit_number'),
    )
    const header = `<row r="1">${headings.join('')}${textCell('U1', 'location')}</row>`
    const rows = Array.from({ length: 1500 }, (_, n) => `<row r="${n + 2}">${cells(n + 2).join('')}</row>`).join('')
    const file = workbook(header + rows, `<sst><si><t>${'x'.repeat(8000)}</t></si></sst>`)
    const { status, message } = await h.cast.ben.begin('titles', 'repeats.xlsx', file)
    expect([file.length < 100_000, status, message]).toEqual([
      true,
      'refused',
      'The file contains far too much text; remove text that is repeated in many cells',
    ])
  })

  test('is limited to 1,000 records on the embedded engine when filters choose them', () => {
    expect(FILTERED_LIMIT).toEqual({ embedded: 1000, server: 10_000 })
  })
})

test('a rejected record causes at most one repeat of the other changes', async () => {
  const counts = new Map<number, number>()
  const ids = Array.from({ length: 64 }, (_, at) => at + 1)
  const { done, skipped } = await h.ctx.db.transaction((db) =>
    forEachRecord({ ...commandWrite(h.ctx.db), db }, ids, async (_, id) => {
      counts.set(id, (counts.get(id) ?? 0) + 1)
      if (id % 9 === 0 || id === 64) throw new Refusal(422, `No ${id}`)
      return id
    }),
  )
  expect(skipped.map(({ id }) => id)).toEqual([9, 18, 27, 36, 45, 54, 63, 64])
  expect(done.map(({ id }) => id)).toEqual(ids.filter((id) => id % 9 !== 0 && id !== 64))
  expect(Math.max(...counts.values())).toBe(2)
})
