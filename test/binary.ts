/**
 * Tests the built binary alone in an empty folder.
 * Covers its assets, a sign-in, uploads and a clean exit.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-binary-'))
copyFileSync(join(import.meta.dir, '../dist/yardmaster'), join(folder, 'yardmaster'))
let passed = 0
let failed = 0

function check(what: string, holds: boolean) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  if (holds) passed++
  else failed++
}

const child = Bun.spawn(['./yardmaster'], {
  cwd: folder,
  env: { PORT: '0', ADMIN_PASSWORD: 'Saguaro42' },
  stdout: 'pipe',
  stderr: 'inherit',
})
let output = ''
const reader = child.stdout.getReader()
while (!output.includes('Yardmaster is at')) {
  const { value, done } = await reader.read()
  if (done) break
  output += new TextDecoder().decode(value)
}
const url = /http:\S+/.exec(output)?.[0] ?? 'http://127.0.0.1:1'

try {
  const { version, commit } = (await (await fetch(`${url}/healthz`)).json()) as Record<string, string>
  // Without Git, or in a copy without its history, the commit is empty.
  const git = Bun.which('git')
    ? Bun.spawnSync(['git', 'rev-parse', 'HEAD'], { cwd: import.meta.dir, stderr: 'ignore' })
    : undefined
  const head = git?.exitCode === 0 ? git.stdout.toString().slice(0, 7) : ''
  check('version and commit', version === '1.0.0' && commit === head)
  const page = await (await fetch(`${url}/login`)).text()
  check('the login screen', page.includes('Fleet Management System'))
  const assets = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  check('three assets on the login screen', assets.length === 3)
  for (const path of assets) check(path, (await fetch(url + path)).status === 200)
  for (const path of ['/favicon.svg', '/apple-touch-icon.png', '/site.webmanifest', '/robots.txt'])
    check(path, (await fetch(url + path)).status === 200)
  const boot = await (await fetch(url + (assets.find((path) => path.includes('/boot-')) ?? ''))).text()
  const islands = [...new Set([...boot.matchAll(/island-[a-z0-9]+\.js/g)].map(([name]) => name))]
  check('islands listed in the boot script', islands.length > 2)
  for (const name of islands) check(name, (await fetch(`${url}/assets/${name}`)).status === 200)

  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username: 'admin', password: 'Saguaro42' }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const headers = { authorization: `Bearer ${data.token}` }
  check('sign-in', login.status === 200)
  const upload = async (name: string, content: Blob | string) => {
    const form = new FormData()
    form.set('data_type', 'transports')
    form.set('file', new File([content], name))
    const answer = await fetch(`${url}/api/files/upload`, { method: 'POST', headers, body: form })
    return (await answer.json()) as { failed: number }
  }
  const moves = `unit_number,location_out,location_in,move_date,transport_company,status
100200,A,B,2026-03-01,C,Delivered`
  check('upload checked in a worker', (await upload('moves.csv', moves)).failed === 1)
  const sample = await fetch(`${url}/files/samples/transports.xlsx`, { headers })
  check('a sample spreadsheet', sample.status === 200)
  check('workbook read in a worker', (await upload('sample.xlsx', await sample.blob())).failed > 0)
} catch (error) {
  check(`no unexpected error: ${error}`, false)
}
child.kill('SIGTERM')
check('exit with code 0', (await child.exited) === 0)
check('data folder next to the binary', existsSync(join(folder, 'data/pgdata')))
rmSync(folder, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
