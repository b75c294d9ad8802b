import { expect, test } from 'bun:test'
import { tableFile } from '../../src/platform/lists/tables/table-file'

test('exports that nobody reads do not block others, and cancelled ones end', async () => {
  let ended = 0
  async function* rows() {
    try {
      for (;;) yield [{ unit: '100200'.repeat(1000) }]
    } finally {
      ended++
    }
  }
  const columns = [{ key: 'unit', label: 'Unit', kind: 'text' as const }]
  const unread = await Promise.all(Array.from({ length: 20 }, () => tableFile('xlsx', 'endless', columns, rows())))
  const whole = await tableFile('xlsx', 'short', columns, [{ unit: '100200' }])
  expect((await whole.bytes()).length).toBeGreaterThan(1000)
  for (const { body } of unread) await body?.cancel()
  await Bun.sleep(100)
  expect(ended).toBe(20)
})
