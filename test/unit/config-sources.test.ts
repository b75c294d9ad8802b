import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeConfig, readConfig, VARIABLES } from '../../src/app/config'

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secretFile = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('a secret in a file', () => {
  test('is read without the final line break', () => {
    const url = 'postgres://fleet:copper@db/fleet'
    expect(readConfig({ DATABASE_URL_FILE: secretFile('url', `${url}\n`) }).databaseUrl).toBe(url)
    // A password can end with a space.
    expect(readConfig({ ADMIN_PASSWORD_FILE: secretFile('password', 'Saguaro42 \r\n') }).adminPassword).toBe(
      'Saguaro42 ',
    )
    expect(readConfig({ DATABASE_URL_FILE: ' ' }).databaseUrl).toBeNull()
  })

  test('is refused if it cannot be read, is set twice, or breaks a rule, without its value in the message', () => {
    const path = secretFile('short', 'copper')
    expect(() => readConfig({ JWT_SECRET_FILE: join(folder, 'none') })).toThrow(
      `JWT_SECRET_FILE: the file ${join(folder, 'none')} cannot be read`,
    )
    expect(() => readConfig({ JWT_SECRET_FILE: path, JWT_SECRET: 'saguaro' })).toThrow(
      'JWT_SECRET and JWT_SECRET_FILE are both set; remove one of them',
    )
    expect(() => readConfig({ JWT_SECRET_FILE: path })).toThrow('JWT_SECRET must be at least 16 characters long')
    expect(() => readConfig({ DATABASE_URL_FILE: path })).toThrow(/^DATABASE_URL must begin with postgres:\/\/$/)
  })
})

describe('a configuration file', () => {
  const CONFIG_FILE = () => join(folder, 'yardmaster.toml')
  const withFile = (text: string, env: Record<string, string> = {}) => {
    secretFile('yardmaster.toml', text)
    return { CONFIG_FILE: CONFIG_FILE(), ...env }
  }

  test('sets what the environment does not set', () => {
    const env = withFile('port = 4100\ntrust_proxy = true\nhost = "0.0.0.0"\n', { HOST: '127.0.0.2' })
    expect(readConfig(env)).toMatchObject({ port: 4100, trustProxy: true, host: '127.0.0.2' })
    expect(describeConfig(env).split('\n')).toContain('PORT=4100 (configuration file)')
  })

  test('is refused for an unknown setting, a list, broken text, an invalid value, or if it is missing', () => {
    for (const [text, problem] of [
      ['prot = 4100', /yardmaster\.toml: there is no setting prot; did you mean port\?$/],
      ['colour = "red"', /there is no setting colour$/],
      ['PORT = 4100', /there is no setting PORT; did you mean port\?$/],
      ['port = [4100]', /port must be text, a number, or true or false$/],
      ['port = ', /is not a valid TOML file$/],
      ['port = 70000', /^PORT must be a whole number from 0 to 65535, not "70000"$/],
    ] as const)
      expect(() => readConfig(withFile(text))).toThrow(problem)
    expect(() => readConfig({ CONFIG_FILE: join(folder, 'none.toml') })).toThrow(
      /^CONFIG_FILE: the file .* cannot be read$/,
    )
  })
})

describe('the effective settings', () => {
  const settingsOf = (env: Record<string, string>) => describeConfig(env).split('\n')

  test('are listed with their sources, and secrets are masked', () => {
    const path = secretFile('mail', 'smtps://fleet:copper@mail.example')
    const settings = settingsOf({ PORT: '4000', SMTP_URL_FILE: path, JWT_SECRET: 'saguaro saguaro saguaro', HOST: ' ' })
    expect(settings.map((line) => line.split('=')[0] ?? '')).toEqual(VARIABLES)
    for (const line of [
      'PORT=4000 (environment)',
      'HOST=127.0.0.1 (default)',
      'SMTP_URL=******** (secret file)',
      'JWT_SECRET=******** (environment)',
      'DATABASE_URL= (default)',
      'TRUST_PROXY=false (default)',
    ])
      expect(settings).toContain(line)
    expect(settings.join()).not.toMatch(/copper|saguaro/)
  })

  test('are not listed if one of them is invalid', () => {
    expect(() => describeConfig({ PORT: 'x' })).toThrow('PORT must be a whole number from 0 to 65535, not "x"')
  })
})

describe('secrets outside of the masked settings', () => {
  test('are refused or left out', () => {
    expect(() => readConfig({ JWT_SECRET_FILE: secretFile('empty', '\n') })).toThrow(
      /^JWT_SECRET_FILE: the file .* is empty$/,
    )
    const issuer = { OIDC_ISSUER: 'https://user:copper@idp.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }
    expect(() => readConfig(issuer)).toThrow(/^OIDC_ISSUER must not contain a user name or password$/)
    expect(() => readConfig({ ...issuer, OIDC_ISSUER: 'http://user:copper@idp.example' })).toThrow(
      /^OIDC_ISSUER must be an https:\/\/ address$/,
    )
    const settings = describeConfig({ UPLOAD_SCANNER: 'clamdscan --token copper' }).split('\n')
    expect(settings).toContain('UPLOAD_SCANNER=clamdscan … (environment)')
  })
})

test('the settings of the provider are complete, and encrypted except on this machine', () => {
  const read = (env: Record<string, string>) => {
    try {
      return readConfig(env).oidc
    } catch (error) {
      return (error as Error).message
    }
  }
  const rest = { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  expect(read({})).toBeNull()
  expect(read({ ...rest, OIDC_ISSUER: 'https://id.example/realm' })).toMatchObject({ passwordAccounts: null })
  expect(
    read({ ...rest, OIDC_ISSUER: 'https://id.example', OIDC_ONLY: 'on', OIDC_LOCAL_ACCOUNTS: 'Root, admin' }),
  ).toMatchObject({
    passwordAccounts: ['root', 'admin'],
  })
  expect(read({ ...rest, OIDC_ISSUER: 'http://id.example' })).toContain('OIDC_ISSUER must be an https:// address')
  expect(read({ OIDC_ISSUER: 'https://id.example' })).toBe('OIDC_CLIENT_ID must be set together with OIDC_ISSUER')
  expect(read({ OIDC_ONLY: 'on' })).toBe('OIDC_ISSUER must be set when OIDC_ONLY is on')
})
