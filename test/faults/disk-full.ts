/**
 * Fills the disk under the embedded database, first with a reserve and then without.
 * At the reserve, writes must be refused while reads continue. Without a reserve, Postgres itself runs out of space. No
 * acknowledged write may be lost.
 *
 *   bun test/faults/disk-full.ts        (as root: it mounts a small file system in memory)
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Instance, newFolder, report, transport } from './support/instance'

const MEGABYTES = 420
const promises: [string, boolean][] = []

async function fill(title: string, reserve: string) {
  const disk = newFolder()
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=0700`, 'tmpfs', disk])
  if (!mounted.success) throw new Error(`Mounting needs root: ${mounted.stderr}`)
  try {
    const DATA_DIR = join(disk, 'data')
    mkdirSync(DATA_DIR)
    let testContext = await (
      await (await Instance.start({ DATA_DIR, MIN_FREE_MB: reserve, LOG_LEVEL: 'error' })).signIn()
    ).furnish()
    const acknowledged = new Map<number, number>()
    const write = async (n: number) => {
      const answer = await testContext.call('POST', '/transports', { ...transport(n), notes: 'x'.repeat(4000) })
      if (answer.status === 201) acknowledged.set(answer.data.id, n)
      return answer
    }
    for (let n = 0; n < 50; n++) await write(n)
    const ballast = join(disk, 'ballast')
    const free = () =>
      Number(Bun.spawnSync(['df', '--output=avail', '-B1M', disk]).stdout.toString().trim().split('\n').at(-1))
    writeFileSync(ballast, Buffer.alloc(Math.max(1, free() - Number(reserve) - 3) * 1024 * 1024))
    const answers = []
    for (let n = 1000; n < 3000; n++) {
      const answer = await write(n)
      if (answer.status === 201) continue
      answers.push(answer)
      if (answers.length >= 5) break
    }
    const read = await testContext.call('GET', '/transports/active?per_page=5')
    const slowest = Math.round(Math.max(...answers.map(({ ms }) => ms)))
    promises.push([
      `${title}: refused with ${[...new Set(answers.map(({ status }) => status))].join(' and ')}, ` +
        `slowest after ${slowest} ms`,
      answers.every(({ status }) => [507, 503].includes(status)) && slowest < 30_000,
    ])
    if (Number(reserve))
      promises.push([
        `${title}: "${answers[0]?.message}"`,
        answers.every(({ status }) => status === 507) && slowest < 1000,
      ])
    if (Number(reserve))
      promises.push([`${title}: reading goes on (${read.status} in ${Math.round(read.ms)} ms)`, read.status === 200])
    rmSync(ballast)
    const freedAt = performance.now()
    let again = await write(9000)
    for (; again.status !== 201 && performance.now() < freedAt + 60_000; again = await write(9000)) await Bun.sleep(200)
    promises.push([
      `${title}: writing again ${Math.round(performance.now() - freedAt)} ms after there was room`,
      again.status === 201,
    ])
    const { token } = testContext
    await testContext.end()
    testContext = await Instance.start({ DATA_DIR, MIN_FREE_MB: '0' })
    testContext.token = token
    let lostWrites = 0
    for (const [id, mileage] of acknowledged)
      if ((await testContext.call('GET', `/transports/${id}`)).data.mileage !== mileage) lostWrites++
    promises.push([
      `${title}: ${acknowledged.size} acknowledged writes, ${lostWrites} lost after a restart`,
      lostWrites === 0,
    ])
    await testContext.end()
  } finally {
    Bun.spawnSync(['umount', '-l', disk])
  }
}

await fill('With a reserve of 60 MB', '60')
await fill('Without a reserve', '0')
report('A full disk under the embedded database', promises)
