import { expect, test } from 'bun:test'
import { whileAllowed } from '../../src/platform/http/while-allowed'
import { tableFile } from '../../src/platform/lists/tables/table-file'
import { SignedOut } from '../../src/platform/refusals'

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

test('an export ends without a logged error when its user loses access', async () => {
  let hasAccess = true
  const renewActor = async () => {
    if (!hasAccess) throw new SignedOut()
    return {} as never
  }
  async function* rows() {
    for (;;) yield [{ unit: '100200' }]
  }
  const columns = [{ key: 'unit', label: 'Unit', kind: 'text' as const }]
  const answer = await tableFile(
    'csv',
    'endless',
    columns,
    whileAllowed({ actor: { username: 'ben', now: new Date() } as never, renewActor }, rows(), 0),
  )
  const reader = answer.body?.getReader()
  await reader?.read()
  hasAccess = false
  const readOn = async () => {
    for (;;) await reader?.read()
  }
  expect(await readOn().catch((reason) => [reason])).toEqual([undefined])
})
