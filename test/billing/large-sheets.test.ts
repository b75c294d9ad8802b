import { describe, expect, test } from 'bun:test'
import { VENDOR } from '../../src/features/billing/billers'
import { linesOfSheet } from '../../src/features/billing/sheet'
import { linesOfTable } from '../../src/features/billing/sheet-table'
import { isEuropeanAmount } from '../../src/platform/imports/parse/guess-by-values'
import { testContext } from '../support/context'
import { refusal } from '../support/embedded'
import { FEBRUARY } from '../support/invoices'

/** Invoice files that would keep the server's only thread busy. */
describe('a large invoice sheet', () => {
  const sheet = (columns: number, rows: number) =>
    [
      ['Unit', 'Amount', ...Array.from({ length: columns - 2 }, (_, at) => `h${at}`)].join(),
      ...Array.from({ length: rows }, (_, row) => [100_001 + row, 35, ...Array(columns - 2).fill(row)].join()),
    ].join('\n')
  const read = async (text: string) => linesOfSheet((await testContext()).ctx, VENDOR, new File([text], 'bill.csv'))

  test('lets other requests run between its columns and rows', async () => {
    const cells = (row: number) => ['100001', '35', ...Array(58).fill(String(row))]
    const lines = Array.from({ length: 1000 }, (_, row) => ({ row: row + 2, cells: cells(row) }))
    const header = ['Unit', 'Amount', ...Array.from({ length: 58 }, (_, at) => `h${at}`)]
    const table = { header, lines, sheets: [], sheet: null, hiddenRows: [], isText: true }
    let isOver = false
    let rounds = 0
    const countRounds = () => {
      rounds++
      if (!isOver) setImmediate(countRounds)
    }
    setImmediate(countRounds)
    const invoice = { sheet: VENDOR.sheet, writing: VENDOR.writing, today: '2026-03-14', units: new Map() }
    const result = await linesOfTable(table, invoice, {})
    isOver = true
    expect(result.lines).toHaveLength(1000)
    expect(rounds).toBeGreaterThan(60)
  })

  test('is refused if it has more than 60 columns', async () => {
    expect(await refusal(read(sheet(61, 2)))).toContain('more than 60 columns')
  })

  test('is refused if one unit has more than 100 lines', async () => {
    const { ben } = (await testContext()).cast
    const send = async (count: number) => {
      const lines = Array.from({ length: count }, () => ({ unit_number: '100001', amount: 35 }))
      const { status, body } = await ben.post('/transport-companies/1/invoices', { ...FEBRUARY, number: 'A', lines })
      return [status, body.errors?.[0]?.message]
    }
    expect(await send(101)).toEqual([422, 'Unit 100001 has more than 100 lines'])
    expect(await send(100)).toEqual([201, undefined])
  })

  test('can have a cell with an amount and a million blanks', () => {
    expect(isEuropeanAmount(`1,00${' '.repeat(1_000_000)}x`)).toBe(false)
    expect(isEuropeanAmount(' € 1.250,00 ')).toBe(true)
  })
})
