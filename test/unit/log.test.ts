import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LINES = 30_000

/**
 * A program that logs more than the pipe and the log can hold.
 * It then creates the file `flag`, and continues to log until the reader has read.
 */
const writer = (flag: string) => `
  import { jsonLog } from '${join(import.meta.dir, '../../src/platform/log')}'
  const log = jsonLog('info')
  for (let n = 0; n < ${LINES}; n++) {
    log('info', 'request', { n, path: '/'.padEnd(100, 'x') })
    if (n % 100 === 0) await Bun.sleep(0)
  }
  await Bun.write('${flag}', 'done')
  for (let tries = 0; tries < 40; tries++) {
    await Bun.sleep(100)
    log('info', 'later')
  }`

test('an unread pipe does not block logging, and dropped lines are counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-log-'))
  const flag = join(folder, 'flag')
  // The reader starts when the file exists, or ends after ten seconds.
  const reader =
    `n=0; while [ ! -e '${flag}' ] && [ $n -lt 200 ]; do n=$((n+1)); sleep 0.05; done; [ -e ` + `'${flag}' ] && cat`
  await Bun.write(join(folder, 'writer.ts'), writer(flag))
  const child = Bun.spawn(['sh', '-c', `'${process.execPath}' '${folder}/writer.ts' | (${reader})`], { stderr: 'pipe' })
  const outputLines = (await new Response(child.stdout).text()).trim().split('\n')
  expect(existsSync(flag)).toBe(true)
  const lines = outputLines.map((line) => JSON.parse(line) as { message: string; lines?: number })
  const count = (message: string) => lines.filter((line) => line.message === message).length
  const droppedCount = lines
    .filter(({ message }) => message === 'log lines were dropped')
    .reduce((sum, one) => sum + (one.lines ?? 0), 0)
  expect(droppedCount).toBeGreaterThan(0)
  expect(count('request') + count('later') + droppedCount).toBe(LINES + 40)
  rmSync(folder, { recursive: true })
}, 600_000)
