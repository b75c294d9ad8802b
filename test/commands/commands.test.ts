import { afterAll, expect, test } from 'bun:test'
import { chownSync, closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import tls from 'node:tls'
import { openEmbedded } from '../../db/embedded/open'
import { applyMigrations, migrations } from '../../db/migrate'
import { hashPassword } from '../../src/platform/auth/passwords'
import { BACKUP_TABLES } from '../../src/platform/backup/tables'
import { untilAddress } from '../support/address'
import { selfSigned } from '../support/certificate'
import { temporaryFolder as folder, JSON_TYPE, outcome, PROGRAM, removeFolders, serving } from '../support/program'

afterAll(removeFolders)

test('the first start creates an administrator, prints the password once and stops on SIGTERM', async () => {
  const DATA_DIR = folder()
  const first = await serving({ DATA_DIR })
  const password = /password: (\S+)/.exec(first.startOutput)?.[1] as string
  const signIn = (url: string) =>
    fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
  expect((await signIn(first.url)).status).toBe(200)
  expect([(await fetch(`${first.url}/healthz`)).status, (await fetch(`${first.url}/readyz`)).status]).toEqual([
    200, 200,
  ])
  expect(await (await fetch(`${first.url}/login`)).text()).toContain('<form')

  const second = await outcome({ DATA_DIR })
  expect([second.code, second.err.split('\n').length]).toEqual([1, 1])
  expect(second.err).toContain('already in use')

  first.child.kill('SIGTERM')
  expect(await first.child.exited).toBe(0)
  const again = await serving({ DATA_DIR })
  expect(again.startOutput).not.toContain('password')
  expect((await signIn(again.url)).status).toBe(200)
  again.child.kill('SIGTERM')
  await again.child.exited
})

test('a failed start prints one line with the cause', async () => {
  const busyServer = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const cases: [Record<string, string>, string][] = [
    [{ PORT: 'eighty' }, 'PORT'],
    [{ PORT: String(busyServer.port) }, 'PORT'],
    [{ HOST: '999.1.1.1' }, 'HOST'],
    [{ TLS_CERT: '/nowhere/cert.pem' }, 'TLS_CERT'],
    [{ TLS_CERT: import.meta.path }, 'TLS_KEY'],
    [{ API_REQUESTS_PER_MINUTE: '0' }, 'API_REQUESTS_PER_MINUTE'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=ab%' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ BUSINESS_TIME_ZONE: 'Nowhere' }, 'BUSINESS_TIME_ZONE'],
    [{ ADMIN_PASSWORD: 'weak' }, 'ADMIN_PASSWORD'],
    [{ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://nobody:12#secret@127.0.0.1:1/none' }, 'DATABASE_URL'],
    [{ DATA_DIR: import.meta.path }, 'DATA_DIR'],
    [{ DATA_DIR: '/proc/nowhere' }, 'DATA_DIR'],
  ]
  for (const [env, name] of cases) {
    const { code, err, out } = await outcome({ DATA_DIR: folder(), ...env })
    expect([name, code, err.split('\n').length, out]).toEqual([name, 1, 1, ''])
    expect(err).toContain(name)
    expect(err).not.toContain('secret')
  }
  busyServer.stop(true)
})

test('a backup or export of a damaged table prints one line with the cause', async () => {
  const DATA_DIR = folder()
  await outcome({ DATA_DIR }, 'migrate')
  const database = await openEmbedded(DATA_DIR)
  await database.raw(`insert into vendors (vendor_name, vendor_type) values ('Tow Yard', 'Towing')`, [])
  const [table] = await database.raw(`select pg_relation_filepath('vendors') as path`, [])
  await database.raw('checkpoint', [])
  await database.close()
  const file = openSync(join(DATA_DIR, 'pgdata', String(table?.path)), 'r+')
  writeSync(file, Buffer.alloc(200, 255), 0, 200, 0)
  closeSync(file)
  for (const command of ['backup', 'export']) {
    const { code, err } = await outcome({ DATA_DIR }, command, join(folder(), 'copy'))
    expect([command, code, err]).toEqual([
      command,
      1,
      expect.stringMatching(/^The database is damaged: invalid page .*$/),
    ])
  }
})

test('version, help, migrate and create-admin work, and invalid commands report errors', async () => {
  // An executable adds its commit.
  for (const word of ['version', '--version', '-v'])
    expect([word, (await outcome({}, word)).out]).toEqual([word, expect.stringMatching(/^1\.0\.0( \([0-9a-f]{7}\))?$/)])
  for (const word of ['--help', '-h']) expect((await outcome({}, word)).out).toContain('serve')
  const addresses = join(folder(), 'addresses')
  writeFileSync(addresses, 'postgres://a:first-secret@db/a\npostgres://a:second-secret@db/a\n')
  expect((await outcome({}, 'copy-to', '--url-file', addresses)).err).toBe(
    `${addresses} must contain one address and nothing else`,
  )
  expect((await outcome({}, 'copy-to')).err).toBe('copy-to needs either a database-url or --url-file; see --help')
  expect((await outcome({ DATA_DIR: folder() }, 'migrate')).out).toBe('The database is up to date')
  expect(await outcome({}, 'fly')).toMatchObject({ code: 1, err: 'There is no command "fly"; see --help' })
  const help = (await outcome({ DATA_DIR: folder() }, 'restore', '--help')).out
  expect([help.includes('--overwrite'), help.includes('copy-to')]).toEqual([true, false])
  expect(await outcome({ DATA_DIR: folder() }, 'create-admin', '--boss')).toMatchObject({
    code: 1,
    err: 'create-admin does not accept "--boss"; see --help',
  })
  const DATA_DIR = folder()
  expect((await outcome({ DATA_DIR }, 'create-admin', 'boss')).out).toMatch(
    /^There was no database in .*; a new one was created\nAdministrator: boss, password: \S+/,
  )
  expect((await outcome({ DATA_DIR }, 'create-admin', 'boss')).out).toMatch(/^Administrator: boss/)
  expect(await outcome({ DATA_DIR }, 'restore', DATA_DIR, '--overwrite')).toMatchObject({
    code: 1,
    err: `There is no file ${DATA_DIR}`,
  })
})

test('a second instance cannot use the port of the first', async () => {
  const first = await serving({ DATA_DIR: folder(), ADMIN_PASSWORD: 'Saguaro42' })
  const second = await outcome({ DATA_DIR: folder(), ADMIN_PASSWORD: 'Saguaro42', PORT: new URL(first.url).port })
  expect([second.code, second.err]).toEqual([1, expect.stringContaining('is in use by another program')])
  first.child.kill('SIGTERM')
  expect(await first.child.exited).toBe(0)
})

test.if(process.getuid?.() === 0)('commands run as root refuse the data folder of another user', async () => {
  const DATA_DIR = folder()
  await outcome({ DATA_DIR }, 'migrate')
  chownSync(join(DATA_DIR, 'pgdata'), 65_534, 65_534)
  for (const words of [['create-admin', 'boss'], ['backup', join(folder(), 'x.gz')], ['serve']]) {
    expect(await outcome({ DATA_DIR }, ...words)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^DATA_DIR: the database in .* belongs to user ID 65534, not 0/),
    })
  }
})

test('forwarded headers are ignored without a trusted proxy', async () => {
  const { child, url } = await serving({ DATA_DIR: folder(), ADMIN_PASSWORD: 'Saguaro42' })
  const answer = await fetch(`${url}/login`, { headers: { 'x-forwarded-proto': 'https' } })
  expect(answer.headers.get('strict-transport-security')).toBeNull()
  child.kill('SIGTERM')
  await child.exited
})

test('a backup made while serving can be restored into an empty folder', async () => {
  const DATA_DIR = folder()
  const ADMIN_PASSWORD = 'Saguaro42'
  const { child, url } = await serving({ DATA_DIR, ADMIN_PASSWORD })
  const call = async (at: string, path: string, body?: object) => {
    const login = await fetch(`${at}/api/auth/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
      headers: JSON_TYPE,
    })
    const { token } = ((await login.json()) as { data: { token: string } }).data
    const answer = await fetch(`${at}/api${path}`, {
      headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return (await answer.json()) as { data: { location_name: string }[] }
  }
  const TABLES = BACKUP_TABLES.length
  expect(TABLES).toBeGreaterThan(19)
  await call(url, '/locations', { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' })
  const file = join(folder(), 'night.backup.gz')
  const made = await outcome({ DATA_DIR }, 'backup', file)
  expect([made.code, made.out]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`night\\.backup\\.gz: \\d+ rows of ${TABLES} tables and 0 uploaded files, \\d+ KB$`),
    ),
  ])
  expect((await outcome({ DATA_DIR }, 'backup', file)).err).toContain('already exists')
  expect((await outcome({ DATA_DIR }, 'restore', file)).err).toContain('already in use')
  const zip = join(folder(), 'everything.zip')
  expect((await outcome({ DATA_DIR }, 'export', zip)).out).toMatch(
    /everything\.zip: \d+ rows of \d+ tables and 0 documents/,
  )
  child.kill('SIGTERM')
  await child.exited

  expect((await outcome({ DATA_DIR }, 'restore', file)).err).toContain('add --overwrite')
  expect((await outcome({ DATA_DIR }, 'restore', file, '--overwrite')).code).toBe(0)
  const elsewhere = folder()
  expect((await outcome({ DATA_DIR: elsewhere }, 'restore', file)).out).toMatch(
    new RegExp(`^Restored \\d+ rows of ${TABLES} tables`),
  )
  const again = await serving({ DATA_DIR: elsewhere })
  expect((await call(again.url, '/locations')).data.map(({ location_name }) => location_name)).toEqual(['Gilbert'])
  again.child.kill('SIGTERM')
  expect(await again.child.exited).toBe(0)
  expect((await outcome({ DATA_DIR: elsewhere }, 'restore', join(elsewhere, 'nothing'))).err).toContain(
    'There is no file',
  )
  expect((await outcome({ DATA_DIR: elsewhere }, 'import', zip)).err).toContain('There are records')
  const fresh = folder()
  expect((await outcome({ DATA_DIR: fresh }, 'import', zip)).out).toContain('Imported')
  expect((await outcome({ DATA_DIR: fresh }, 'create-admin', 'ADMIN')).out).toContain('password: ')
  for (const words of [
    ['backup', join(folder(), 'x.gz')],
    ['copy-to', 'postgres://nobody@127.0.0.1:1/none'],
  ]) {
    expect(await outcome({ DATA_DIR: folder() }, ...words)).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no database in'),
    })
  }
  expect((await outcome({ DATA_DIR: fresh }, 'backup', '/nowhere/x.gz')).err).toBe('There is no folder /nowhere')
  const away = await outcome(
    { DATA_DIR: folder(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    'backup',
    join(folder(), 'y.gz'),
  )
  expect([away.code, away.err.split('\n').length, away.err.includes('DATABASE_URL')]).toEqual([1, 1, true])
})

test('HTTPS with a self-signed certificate sets secure cookies, HSTS and strong ciphers', async () => {
  const DATA_DIR = folder()
  const { cert, key } = selfSigned()
  const [TLS_CERT, TLS_KEY] = [join(DATA_DIR, 'cert.pem'), join(DATA_DIR, 'key.pem')]
  await Promise.all([Bun.write(TLS_CERT, cert), Bun.write(TLS_KEY, key)])
  const { child, url } = await serving({ DATA_DIR, TLS_CERT, TLS_KEY, HOST: 'localhost', ADMIN_PASSWORD: 'Saguaro42' })
  expect(url).toStartWith('https://localhost:')
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'username=admin&password=Saguaro42',
    redirect: 'manual',
    tls: { ca: cert },
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard'])
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-yardmaster_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/),
    expect.stringMatching(/^__Host-yardmaster_device=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/),
  ])
  expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/)
  expect(await fetch(url).catch((error) => error.code)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  const suite = (ciphers: string) =>
    new Promise<string>((resolve) => {
      const socket = tls.connect(
        { host: 'localhost', port: Number(new URL(url).port), ca: cert, ciphers, maxVersion: 'TLSv1.2' },
        () => {
          resolve(socket.getCipher().name)
          socket.end()
        },
      )
      socket.on('error', () => resolve('refused'))
    })
  // The second suite is the strongest one that the option excludes for an ECDSA certificate.
  expect(await Promise.all(['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-SHA'].map(suite))).toEqual([
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'refused',
  ])
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)

  await Bun.write(TLS_KEY, 'not a key')
  const refused = await outcome({ DATA_DIR, TLS_CERT, TLS_KEY })
  expect([refused.code, refused.err.split('\n').length]).toEqual([1, 1])
})

test('a data folder of the previous release is migrated with its data', async () => {
  const DATA_DIR = folder()
  const before = migrations.slice(0, -1).map(({ name }) => name)
  const old = await openEmbedded(DATA_DIR)
  await old.raw('drop schema public cascade', [])
  await old.raw('create schema public', [])
  await old.bulk('write', (bulk) => applyMigrations(bulk.run, before))
  await old.raw(
    `insert into locations (location_code, location_name, location_type) values ('GLB', 'Gilbert', 'Hub')`,
    [],
  )
  await old.raw(`insert into users (username, password_hash, role) values ('boss', $1, 'admin')`, [
    await hashPassword('Saguaro42'),
  ])
  await old.close()
  const { child, url, startOutput } = await serving({ DATA_DIR })
  expect(startOutput).not.toContain('password')
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'boss', password: 'Saguaro42' }),
    headers: JSON_TYPE,
  })
  const { token } = ((await login.json()) as { data: { token: string } }).data
  const places = await fetch(`${url}/api/locations`, { headers: { authorization: `Bearer ${token}` } })
  expect(await places.json()).toMatchObject({ data: [{ location_code: 'GLB', location_name: 'Gilbert' }] })
  child.kill('SIGTERM')
  await child.exited
})

test('a stalled log reader does not block the program', async () => {
  const DATA_DIR = folder()
  // `head` reads one line. Then `sleep` keeps the pipe open, but reads nothing.
  const child = Bun.spawn(['sh', '-c', `"${PROGRAM.join('" "')}" serve | (head -n 1; sleep 60)`], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR, ADMIN_PASSWORD: 'Saguaro42', LOG_LEVEL: 'info' },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { url } = await untilAddress(child.stdout)
  for (let n = 0; n < 1500; n++)
    expect((await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(60_000) })).status).toBe(200)
  const { pid } = JSON.parse(await Bun.file(join(DATA_DIR, 'control.json')).text()) as { pid: number }
  process.kill(pid, 'SIGTERM')
  child.kill()
  await child.exited
})

test('the log level debug logs each statement without its values', async () => {
  const DATA_DIR = folder()
  const output = Bun.file(join(DATA_DIR, 'log'))
  const child = Bun.spawn(PROGRAM, {
    env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR, ADMIN_PASSWORD: 'Saguaro42', LOG_LEVEL: 'debug' },
    stdout: output,
    stderr: 'ignore',
  })
  let url: string | undefined
  while (!url) {
    await Bun.sleep(100)
    url = /Yardmaster is at (\S+)/.exec(await output.text())?.[1]
  }
  const signIn = JSON.stringify({ username: 'admin', password: 'Saguaro42' })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: signIn })).status).toBe(200)
  child.kill('SIGTERM')
  await child.exited
  const log = await output.text()
  expect(log).toMatch(/"level":"debug","message":"statement","ms":\d+,"statement":"select .* from \\"users\\"/)
  expect(log).not.toContain('Saguaro42')
})

test('a closed log reader does not stop the program', async () => {
  const DATA_DIR = folder()
  const { child, url } = await serving({ DATA_DIR, LOG_LEVEL: 'info', ADMIN_PASSWORD: 'Saguaro42' })
  await child.stdout.cancel().catch(() => {})
  for (let n = 0; n < 50; n++) expect((await fetch(`${url}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
