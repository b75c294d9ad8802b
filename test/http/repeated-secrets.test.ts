import { beforeEach, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const keyed = (key: string, method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
  h.cast.ben.call(method, path, body, { 'idempotency-key': key, ...more })

const title = () => ({ unit_number: '100001', location_id: h.cast.phoenix, dealer_name: 'Valley RV' })

describe('an idempotency key of a request with a secret', () => {
  test('returns a secret again only to the same session', async () => {
    const token = { name: 'ERP', scope: 'read', current_password: PASSWORD }
    const first = await keyed('t', 'POST', '/auth/tokens', token)
    expect(first.status).toBe(201)
    expect((await keyed('t', 'POST', '/auth/tokens', token)).body).toEqual(first.body)
    const { body } = await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })
    const authorization = `Bearer ${(body.data as { token: string }).token}`
    const other = await keyed('t', 'POST', '/auth/tokens', token, { authorization })
    expect([other.status, other.body.code]).toEqual([422, 'key_reused' as never])
    const made = await keyed('m', 'POST', '/titles', title())
    expect((await keyed('m', 'POST', '/titles', title(), { authorization })).body).toEqual(made.body)
  })

  test('returns a secret again for five minutes', async () => {
    const setup = await keyed('s', 'POST', '/auth/totp', { current_password: PASSWORD })
    expect(setup.status).toBe(200)
    const later = (minutes: number) => h.clock.set(new Date(NOON.getTime() + minutes * 60_000))
    later(5)
    expect((await keyed('s', 'POST', '/auth/totp', { current_password: PASSWORD })).body).toEqual(setup.body)
    later(5.01)
    const late = await keyed('s', 'POST', '/auth/totp', { current_password: PASSWORD })
    expect([late.status, JSON.stringify(late.body)]).toEqual([409, expect.not.stringContaining('secret":')])
    const made = await keyed('m', 'POST', '/titles', title())
    later(60)
    expect((await keyed('m', 'POST', '/titles', title())).body).toEqual(made.body)
  })

  test('of a request with a code does not reveal the code to somebody who guesses', async () => {
    const { secret } = (await h.cast.ben.post('/auth/totp', { current_password: PASSWORD })).body.data as never
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() })
    const confirm = (code: string) => keyed('c', 'POST', '/auth/totp/confirm', { code })
    expect((await confirm(code)).status).toBe(200)
    for (let guess = 0; guess < 10; guess++) expect((await confirm(`00000${guess}`)).status).toBe(422)
    expect((await confirm('000010')).status).toBe(429)
    expect((await confirm(code)).status).toBe(429)
  })

  test('of a request with a password does not reveal the password to somebody who guesses', async () => {
    const create = (current_password: string) =>
      keyed('sync', 'POST', '/auth/tokens', { name: 'ERP', scope: 'read', current_password })
    expect((await create(PASSWORD)).status).toBe(201)
    for (let guess = 0; guess < 10; guess++) expect((await create(`Guess${guess}00x`)).status).toBe(422)
    expect((await create('Guess1000x')).status).toBe(429)
    expect((await create(PASSWORD)).status).toBe(429)
  })

  test('gives no further guesses of a password to parallel requests, nor after a replay', async () => {
    const guess = (key: string, current_password: string) =>
      keyed(key, 'POST', '/auth/confirm-password', { current_password })
    const statuses = []
    for (let at = 0; at < 12; at++) {
      const both = await Promise.all([guess(`k${at}`, `Guess${at}00x`), guess(`k${at}`, `Guess${at}00x`)])
      statuses.push(...both.map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    // Of two calls with the same key, one is told 409 if the other one is still running. Neither checks the password.
    const last = statuses.slice(-2)
    expect([last.includes(429), last.every((status) => [409, 429].includes(status))]).toEqual([true, true])
  })

  test('counts guesses of the password of another account, and a replay clears no count', async () => {
    const user = { username: 'carla', role: 'user', password: 'Ocotillo77' }
    const create = (password = user.password) =>
      h.cast.ada.call('POST', '/users', { ...user, password }, { 'idempotency-key': 'u' })
    expect((await create()).status).toBe(201)
    const statuses = []
    for (let at = 0; at < 14; at++) statuses.push((await (at % 5 === 4 ? create() : create(`Guess${at}00x`))).status)
    expect(statuses.at(-1)).toBe(429)
  })

  test('returns no newer token to a replaced one', async () => {
    const confirmed = await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })
    const authorization = `Bearer ${(confirmed.body.data as { token: string }).token}`
    expect((await keyed('r', 'POST', '/auth/refresh', undefined, { authorization })).status).toBe(200)
    const replayed = await keyed('r', 'POST', '/auth/refresh')
    expect([replayed.status, replayed.body.code]).toEqual([422, 'key_reused' as never])
  })

  test('returns a generated temporary password again', async () => {
    const user = { username: 'carla', role: 'user', temporary_password: true }
    const create = () => h.cast.ada.call('POST', '/users', user, { 'idempotency-key': 'u' })
    const first = await create()
    expect(first.status).toBe(201)
    expect((await create()).body).toEqual(first.body)
  })
})
