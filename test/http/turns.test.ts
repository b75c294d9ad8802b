import { describe, expect, test } from 'bun:test'
import type { AppContext } from '../../src/platform/context'
import { inTurn } from '../../src/platform/http/turns'
import type { Write } from '../../src/platform/records/transactions'
import { RateLimited } from '../../src/platform/refusals'

const writeOf = (username: string, token_name?: string) => ({ actor: { username, token_name } }) as unknown as Write

describe.each([
  ['embedded', 1, 5],
  ['server', 2, 20],
] as const)('large changes on the %s database', (engine, running, open) => {
  test(`of one account run ${running} at a time, and ${open} can run or wait`, async () => {
    const ctx = { database: { engine } } as unknown as AppContext
    const ben = writeOf('ben')
    let now = 0
    let most = 0
    const work = async () => {
      now++
      most = Math.max(most, now)
      await Bun.sleep(1)
      now--
    }
    const waiting = Array.from({ length: open }, () => inTurn(ctx, ben, work))
    expect(inTurn(ctx, ben, work)).rejects.toBeInstanceOf(RateLimited)
    // Other accounts, and tokens of the same account, do not wait.
    for (const other of [writeOf('ada'), writeOf('ben', 'nightly')])
      expect(await inTurn(ctx, other, async () => 'done')).toBe('done')
    await Promise.all(waiting)
    expect([now, most]).toEqual([0, running])
  })

  test('let others run when they fail, and check the access again after waiting', async () => {
    const ctx = { database: { engine } } as unknown as AppContext
    let renewals = 0
    const write = { ...writeOf('ben'), renewActor: async () => ({ renewals: ++renewals }) } as unknown as Write
    const results = await Promise.allSettled(
      Array.from({ length: running + 1 }, (_, at) =>
        inTurn(ctx, write, async () => {
          await Bun.sleep(1)
          if (at === 0) throw new Error('failed')
          return at
        }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(['rejected', ...Array(running).fill('fulfilled')])
    expect(renewals).toBe(1)
  })
})
