import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../db/client'
import { checkEncryption } from '../../src/app/operator/encryption'
import { inspectDatabase } from '../../src/app/operator/inspect'
import { testContext } from '../support/context'
import { JSON_TYPE, outcome, PROGRAM, removeFolders, serving, temporaryFolder } from '../support/program'

afterAll(removeFolders)

const ADMIN_PASSWORD = 'Saguaro42'
const signIn = async (url: string, password: string) =>
  (
    await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ username: 'admin', password }),
    })
  ).status

describe('operator commands on a running server', () => {
  test('admin unlock allows sign-in again after too many failures', async () => {
    const DATA_DIR = temporaryFolder()
    const { child, url } = await serving({ DATA_DIR, ADMIN_PASSWORD })
    for (let n = 0; n < 10; n++) expect(await signIn(url, 'Wrong1234')).toBe(401)
    expect(await signIn(url, ADMIN_PASSWORD)).toBe(429)
    expect((await outcome({ DATA_DIR }, 'admin', 'unlock', 'ADMIN')).out).toStartWith('admin can sign in again')
    expect(await signIn(url, ADMIN_PASSWORD)).toBe(200)
    expect((await outcome({ DATA_DIR }, 'admin', 'unlock', 'admin')).out).toBe('admin had no failed sign-ins')
    expect(await outcome({ DATA_DIR }, 'admin', 'unlock', 'nobody')).toMatchObject({
      code: 1,
      err: 'There is no account "nobody"',
    })
    child.kill('SIGTERM')
    await child.exited
    expect((await outcome({ DATA_DIR }, 'admin', 'unlock', 'admin')).out).toBe('admin had no failed sign-ins')
  })

  test('admin reset-password replaces the password with a temporary one', async () => {
    const DATA_DIR = temporaryFolder()
    const { child, url } = await serving({ DATA_DIR, ADMIN_PASSWORD })
    const reset = await outcome({ DATA_DIR }, 'admin', 'reset-password', 'admin')
    const password = /temporary password: (\S+)/.exec(reset.out)?.[1] ?? ''
    expect([await signIn(url, ADMIN_PASSWORD), await signIn(url, password)]).toEqual([401, 200])
    child.kill('SIGTERM')
    await child.exited
    const empty = await outcome({ DATA_DIR: temporaryFolder() }, 'admin', 'reset-password', 'admin')
    expect([empty.code, empty.err.startsWith('DATA_DIR: there is no database in')]).toEqual([1, true])
  })

  test('a damaged or forged control file is rejected', async () => {
    const DATA_DIR = temporaryFolder()
    const { child } = await serving({ DATA_DIR, ADMIN_PASSWORD })
    const path = join(DATA_DIR, 'control.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const control = JSON.parse(await Bun.file(path).text())
    for (const text of [
      '{"port":',
      JSON.stringify({ ...control, pid: 1 }),
      JSON.stringify({ ...control, secret: 'x' }),
    ]) {
      writeFileSync(path, text)
      const { code, err } = await outcome({ DATA_DIR }, 'admin', 'unlock', 'admin')
      expect([text, code, err.split('\n').length]).toEqual([text, 1, 1])
    }
    writeFileSync(path, JSON.stringify(control))
    expect((await outcome({ DATA_DIR }, 'admin', 'unlock', 'x'.repeat(60))).err).toContain('missing or invalid')
    child.kill('SIGKILL')
    await child.exited
  })

  test('doctor prints one line per check, and health reports readiness', async () => {
    const DATA_DIR = temporaryFolder()
    const { child, url } = await serving({ DATA_DIR, ADMIN_PASSWORD })
    const PORT = new URL(url).port
    const report = async (env: Record<string, string> = {}, ...words: string[]) => {
      const { code, out } = await outcome({ DATA_DIR, PORT, ...env }, 'doctor', ...words)
      return { code, lines: out.split('\n').map((line) => line.replace(/\s+/g, ' ')) }
    }
    const { code, lines } = await report({}, '--url', url)
    expect([code, lines.map((line) => line.split(' ').slice(0, 2).join(' '))]).toEqual([
      0,
      [
        'ok database',
        'ok tables',
        'ok clock',
        'ok folder',
        'ok disk',
        'ok mail',
        'ok sign-on',
        'warn scanner',
        'ok proxy',
      ],
    ])
    const wrong = await report(
      { SMTP_URL: 'smtp://127.0.0.1:1', MIN_FREE_MB: '1000000' },
      '--url',
      'http://127.0.0.1:1',
    )
    expect([
      wrong.code,
      wrong.lines.filter((line) => line.startsWith('fail')).map((line) => line.split(' ')[1]),
    ]).toEqual([1, ['disk', 'mail', 'proxy']])
    expect(await outcome({ PORT }, 'health')).toMatchObject({ code: 0, out: `The program at ${url}/readyz is ready` })
    child.kill('SIGTERM')
    await child.exited
    const healthResult = await outcome({ PORT }, 'health')
    expect([healthResult.code, healthResult.err.startsWith(`Nothing answers at ${url}/readyz`)]).toEqual([1, true])
  })
})

test('a first password that is easy to guess causes a warning', async () => {
  const { child } = await serving({ DATA_DIR: temporaryFolder(), ADMIN_PASSWORD: 'Vehicle2026' })
  child.kill('SIGTERM')
  await child.exited
  expect(await new Response(child.stderr).text()).toContain('ADMIN_PASSWORD is easy to guess; change it under Profile')
})

test('doctor warns about connections to other machines that are not encrypted', () => {
  const remedies = (databaseUrl: string | null, reportsDatabaseUrl: string | null = null, mailUrl?: string) =>
    checkEncryption({ databaseUrl, reportsDatabaseUrl, mail: mailUrl ? { url: mailUrl, from: 'a@b.c' } : null }).map(
      ({ remedy }) => remedy,
    )
  for (const url of [null, 'postgres://localhost/a', 'postgres://u:p@127.0.0.1:5432,[::1]:5433/a'])
    expect([url, remedies(url)]).toEqual([url, []])
  expect(remedies('postgres://u:p@db.example.com/a?sslmode=verify-full')).toEqual([])
  for (const url of ['postgres://u:p@localhost.example.com/a', 'postgres://u:p@localhost,db.example.com/a'])
    expect([url, remedies(url)]).toEqual([url, ['Add sslmode=verify-full to DATABASE_URL.']])
  expect(remedies(null, 'postgres://db.example.com/a')).toEqual(['Add sslmode=verify-full to REPORTS_DATABASE_URL.'])
  expect(remedies(null, null, 'smtp://mail.example.com:587')).toEqual(['Add ?requireTLS=true to SMTP_URL.'])
  expect(remedies(null, null, 'smtp://mail.example.com:587/?requireTLS=true')).toEqual([])
})

test('doctor checks the certificate and its key', async () => {
  const folder = temporaryFolder()
  const made = (name: string, days: number) => {
    const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
    const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=${name} -days ${days}`
    Bun.spawnSync(['openssl', ...words.split(' '), '-out', cert, '-keyout', key])
    return { cert, key }
  }
  const [good, other, soon] = [made('good', 90), made('other', 90), made('soon', 5)]
  const found = async (cert: string, key: string) => {
    const { out } = await outcome({ DATA_DIR: folder, TLS_CERT: cert, TLS_KEY: key }, 'doctor')
    return out.split('\n').find((line) => line.includes(' tls '))
  }
  expect(await found(good.cert, good.key)).toMatch(/^ok +tls +the certificate expires on \d{4}-\d\d-\d\d$/)
  expect(await found(soon.cert, soon.key)).toMatch(/^warn +tls .* Replace the files of TLS_CERT and TLS_KEY/)
  expect(await found(good.cert, other.key)).toMatch(/^fail +tls .* The key must belong to the certificate\.$/)
})

test('doctor names the tables that cannot be read', async () => {
  const { ctx } = await testContext()
  const raw: Database['raw'] = (text, values) =>
    text.includes('"titles"') ? Promise.reject(new Error('invalid page')) : ctx.database.raw(text, values)
  const { table_count, unreadable_tables } = await inspectDatabase({ ...ctx.database, raw }, 'America/Phoenix')
  expect([table_count > 30, unreadable_tables]).toEqual([true, ['titles']])
})

describe('a damaged or unwritable data folder', () => {
  const spoil: [what: string, spoil: (pgdata: string) => void][] = [
    ['pg_control is overwritten', (pgdata) => writeFileSync(join(pgdata, 'global/pg_control'), 'x'.repeat(8192))],
    ['PG_VERSION is gone', (pgdata) => rmSync(join(pgdata, 'PG_VERSION'))],
    ['everything is gone', (pgdata) => emptyFolder(pgdata)],
    ['pg_control is gone', (pgdata) => rmSync(join(pgdata, 'global/pg_control'))],
    ['the write-ahead log is gone', (pgdata) => rmSync(join(pgdata, 'pg_wal'), { recursive: true })],
    ['the write-ahead log is cut off', (pgdata) => cutLog(pgdata)],
  ]
  const emptyFolder = (pgdata: string) => {
    for (const name of readdirSync(pgdata)) rmSync(join(pgdata, name), { recursive: true })
  }
  const cutLog = (pgdata: string) => {
    for (const name of new Bun.Glob('0*').scanSync(join(pgdata, 'pg_wal')))
      truncateSync(join(pgdata, 'pg_wal', name), 64)
  }

  test('is reported in one line with the folder and the remedy', async () => {
    const whole = temporaryFolder()
    await outcome({ DATA_DIR: whole }, 'migrate')
    // Every command opens the folder through the same function, so one kind of damage is enough for the others.
    const commands = (at: number) => (at === 0 ? ['serve', 'migrate', 'admin unlock admin'] : ['serve'])
    for (const [at, [what, damage]] of spoil.entries()) {
      const DATA_DIR = temporaryFolder()
      cpSync(whole, DATA_DIR, { recursive: true })
      damage(join(DATA_DIR, 'pgdata'))
      for (const command of commands(at)) {
        const { code, err } = await outcome({ DATA_DIR }, ...command.split(' '))
        expect([what, command, code, err.split('\n').length]).toEqual([what, command, 1, 1])
        expect(err).toContain(`${join(DATA_DIR, 'pgdata')} cannot be opened`)
        expect(err).toContain('restore FILE')
      }
    }
  })

  test('is reported in one line if it is a file or has a broken lock', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const inside = temporaryFolder()
    writeFileSync(join(inside, 'pgdata'), '')
    const broken = temporaryFolder()
    await outcome({ DATA_DIR: broken }, 'migrate')
    rmSync(join(broken, 'yardmaster.guard'))
    mkdirSync(join(broken, 'yardmaster.guard'))
    for (const [DATA_DIR, remedy] of [
      [file, 'is not a folder. Choose another DATA_DIR'],
      [inside, 'is not a folder. Choose another DATA_DIR'],
      [broken, 'Stop every program that uses the data folder, then delete the lock.'],
    ] as const) {
      const { code, err } = await outcome({ DATA_DIR }, 'serve')
      expect([code, err.split('\n').length, err.includes(remedy)]).toEqual([1, 1, true])
    }
  })

  test('keeps its permissions if it holds files of another program', async () => {
    const shared = temporaryFolder()
    writeFileSync(join(shared, 'of-another-program'), '')
    const own = temporaryFolder()
    for (const DATA_DIR of [shared, own]) {
      Bun.spawnSync(['chmod', '755', DATA_DIR])
      await outcome({ DATA_DIR }, 'migrate')
    }
    expect([shared, own].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o755, 0o700])
  })

  // As root no file is unwritable, so the folder is mounted read-only in a namespace of its own.
  const readOnly = (folder: string, ...command: string[]) => [
    ...['unshare', '--mount', '--map-root-user', 'sh', '-c'],
    `mount --bind "${folder}" "${folder}" && mount -o remount,ro,bind "${folder}" && exec "$@"`,
    'sh',
    ...command,
  ]
  const canMount =
    Bun.which('unshare') !== null && Bun.spawnSync(readOnly(temporaryFolder(), 'true'), { stderr: 'ignore' }).success

  test.if(canMount)('is served read-only, with an error on each write', async () => {
    const DATA_DIR = temporaryFolder()
    const first = await serving({ DATA_DIR, ADMIN_PASSWORD })
    first.child.kill('SIGTERM')
    await first.child.exited
    const { child, url, startOutput } = await serving({ DATA_DIR }, readOnly(DATA_DIR, ...PROGRAM, 'serve'))
    expect(startOutput).not.toContain('password')
    const login = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    })
    const { token } = ((await login.json()) as { data: { token: string } }).data
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/api/locations`, { headers })).status).toBe(200)
    const place = { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' }
    const refused = await fetch(`${url}/api/locations`, { method: 'POST', headers, body: JSON.stringify(place) })
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      507,
      'The server cannot write to its data folder, so nothing can be saved now. Please tell your administrator.',
    ])
    // The server cannot store the end of the session, so it must not report success.
    const out = await fetch(`${url}/api/auth/logout`, { method: 'POST', headers })
    expect(out.status).toBe(507)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(await new Response(child.stderr).text()).toContain(
      `${DATA_DIR} is on a read-only file system. Remount it read-write. The server is read-only`,
    )
    const other = await outcome({ DATA_DIR }, 'migrate')
    expect([other.code, existsSync(join(DATA_DIR, 'control.json'))]).toEqual([0, false])
  })
})
