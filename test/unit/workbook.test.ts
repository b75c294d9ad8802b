import { expect, test } from 'bun:test'
import { type SheetColumn, type SheetValue, xlsxStream } from '../../src/tables/workbook'

const COLUMNS: SheetColumn[] = [{ label: 'Notes', kind: 'text', width: 12 }]

/** Rows that no packing makes smaller; `made` counts them in batches, `isClosed` tells whether they were let go. */
function source(batches: number, failAt = -1) {
  const seen = { made: 0, isClosed: false }
  async function* rows(): AsyncGenerator<SheetValue[][]> {
    try {
      for (; seen.made < batches; seen.made++) {
        if (seen.made === failAt) throw new Error('The database is gone')
        yield Array.from({ length: 1000 }, () => [crypto.randomUUID()])
      }
    } finally {
      seen.isClosed = true
    }
  }
  return { seen, rows: rows() }
}

test('a workbook is written no faster than it is taken, and its rows are let go when nobody takes it', async () => {
  const { seen, rows } = source(2000)
  const pieces = xlsxStream(COLUMNS, rows)
  for (let taken = 0; taken < 300_000; ) taken += (await pieces.next()).value?.length ?? Number.POSITIVE_INFINITY
  await Bun.sleep(200)
  expect(seen.made).toBeLessThan(500)
  await pieces.return(undefined)
  await Bun.sleep(50)
  expect(seen.isClosed).toBe(true)
})

test('rows that cannot be read break the workbook off', async () => {
  const { rows } = source(100, 30)
  const all = async () => {
    for await (const _ of xlsxStream(COLUMNS, rows));
  }
  await expect(all()).rejects.toThrow('The database is gone')
})

test('workbooks that hold the same are the same', async () => {
  const bytes = () => new Response(xlsxStream(COLUMNS, atOnce([['a'], ['b & c']])) as unknown as BodyInit).bytes()
  async function* atOnce(rows: SheetValue[][]) {
    yield rows
  }
  expect(await bytes()).toEqual(await bytes())
})
