import { expect } from 'bun:test'
import { csvOf, Instance } from '../faults/support/instance'

const ROWS = 5000

/**
 * Kills the server at different moments of an import and restarts it. After each restart, every row must be present
 * exactly once.
 * @returns the import's status at each kill
 */
export async function killImports(env: Record<string, string>, rounds: number): Promise<string[]> {
  const met: string[] = []
  let token = ''
  for (let round = 0; round < rounds; round++) {
    const first = await Instance.start(env)
    first.token = token
    if (round === 0) token = (await (await first.signIn()).furnish()).token
    const day = new Date(Date.UTC(2026, 0, 1 + round)).toISOString().slice(0, 10)
    const begun = await first.call('POST', '/files/imports', csvOf(ROWS, day))
    await Bun.sleep(((round * 7) % rounds) * (1800 / rounds))
    const status = async (testContext: Instance) =>
      (await testContext.call('GET', `/files/${begun.data.id}`)).data as { status?: string; imported?: number }
    met.push((await status(first)).status ?? 'gone')
    await first.end('SIGKILL')

    const second = await Instance.start(env)
    second.token = token
    let end = await status(second)
    for (
      const until = Date.now() + 600_000;
      !['done', 'refused', undefined].includes(end.status) && Date.now() < until;
      end = await status(second)
    )
      await Bun.sleep(100)
    expect(end).toMatchObject({ status: 'done', imported: ROWS })
    const { data } = await second.call('GET', `/reports/transport_summary?start_date=${day}&end_date=${day}`)
    expect(data).toMatchObject({ totals: { count: ROWS } })
    const logged = await fetch(`${second.url}/api/audit?entity=transports&per_page=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await logged.json()).toMatchObject({ meta: { total: ROWS * (round + 1) } })
    await second.end('SIGKILL')
  }
  return met
}
