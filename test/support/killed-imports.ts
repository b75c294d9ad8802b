import { expect } from 'bun:test'
import { csvOf, Instance } from '../faults/support/instance'

const ROWS = 2000

/**
 * Kills the server at different moments of an import and restarts it. After each restart, every row must be present
 * exactly once.
 * @returns the import's status at each kill
 */
export async function killImports(env: Record<string, string>, rounds: number): Promise<string[]> {
  const met: string[] = []
  let instance = await (await (await Instance.start(env)).signIn()).furnish()
  const { token } = instance
  for (let round = 0; round < rounds; round++) {
    const day = new Date(Date.UTC(2026, 0, 1 + round)).toISOString().slice(0, 10)
    const importResponse = await instance.call('POST', '/files/imports', csvOf(ROWS, day))
    await Bun.sleep(((round * 7) % rounds) * (800 / rounds))
    const status = async () =>
      (await instance.call('GET', `/files/${importResponse.data.id}`)).data as { status?: string; imported?: number }
    met.push((await status()).status ?? 'gone')
    await instance.end('SIGKILL')

    instance = await Instance.start(env)
    instance.token = token
    let end = await status()
    for (
      const until = Date.now() + 600_000;
      !['done', 'refused', undefined].includes(end.status) && Date.now() < until;
      end = await status()
    )
      await Bun.sleep(100)
    expect(end).toMatchObject({ status: 'done', imported: ROWS })
    const { data } = await instance.call('GET', `/reports/transport_summary?start_date=${day}&end_date=${day}`)
    expect(data).toMatchObject({ totals: { count: ROWS } })
    const logged = await fetch(`${instance.url}/api/audit?entity=transports&per_page=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await logged.json()).toMatchObject({ meta: { total: ROWS * (round + 1) } })
  }
  await instance.end('SIGKILL')
  return met
}
