import { beforeEach, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { passkeys, secondFactors } from '../../db/schema'
import { resetAccountFactor } from '../../src/app/operator/accounts'
import { Authenticator } from '../support/authenticator'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const wait = (ms: number) => h.clock.set(new Date(h.clock.now().getTime() + ms))

async function turnOn(visitor = h.cast.ben) {
  const { secret } = (await visitor.post('/auth/totp', {})).body.data as { secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() })
  expect((await visitor.post('/auth/totp/confirm', { code })).status).toBe(200)
}

type Setup = { options: { challenge: string; rp: { id?: string } }; ticket: string }
const begin = async (visitor = h.cast.ben) =>
  (await visitor.post('/auth/passkeys/options', {})).body.data as never as Setup
async function add(device = new Authenticator(), name = 'Blue key') {
  const { options, ticket } = await begin()
  return h.cast.ben.post('/auth/passkeys', { ticket, name, credential: device.create(options) })
}

/** Enters the right password. @returns the hidden ticket, and the options for the passkey if the page offers one */
async function enterPassword() {
  const { html } = await h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD })
  const text = (pattern: RegExp) => pattern.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const options = text(/data-options="([^"]*)"/)
  return {
    ticket: text(/name="ticket" value="([^"]*)"/),
    options: options ? (JSON.parse(options) as { challenge: string; rpId?: string }) : null,
  }
}
const answer = async (ticket: string, passkey: unknown) =>
  (await h.cast.stranger.submit('/login', { ticket, passkey: JSON.stringify(passkey) })).status

describe('adding a passkey', () => {
  test('needs two-factor authentication, and lists no key material', async () => {
    expect((await h.cast.ben.post('/auth/passkeys/options', {})).status).toBe(409)
    await turnOn()
    const added = await add()
    expect([added.status, Object.keys(added.body.data as object).sort()]).toEqual([
      201,
      [
        'created_at',
        'created_by',
        'id',
        'last_used_at',
        'name',
        'transports',
        'updated_at',
        'updated_by',
        'user_id',
        'version',
      ],
    ])
    expect((await h.cast.ben.get('/auth/passkeys')).body.data).toMatchObject([{ name: 'Blue key' }])
    expect((await h.cast.ada.get('/auth/passkeys')).body.data).toHaveLength(0)
    const [entry] = (await h.cast.ada.get('/audit?entity=passkeys')).body.data as { changes: Record<string, unknown> }[]
    expect(entry?.changes).toMatchObject({ public_key: { new: '(hidden)' }, credential_id: { new: '(hidden)' } })
  })

  test('is refused for another session, a late or forged ticket, another site and a known device', async () => {
    await turnOn()
    await turnOn(h.cast.ada)
    const device = new Authenticator()
    const refused = async (setup: Setup, site = device) =>
      (
        await h.cast.ben.post('/auth/passkeys', {
          ticket: setup.ticket,
          name: 'x',
          credential: site.create(setup.options),
        })
      ).status
    expect(await refused(await begin(h.cast.ada))).toBe(409)
    expect(await refused({ ...(await begin()), ticket: 'forged' })).toBe(409)
    const { ticket } = await begin()
    expect(await refused({ ...(await begin()), ticket })).toBe(422)
    expect(await refused(await begin(), new Authenticator('https://evil.example'))).toBe(422)
    // The request arrives under another host name, as its credential does.
    const moved = { ...(await begin()), name: 'x' }
    const credential = new Authenticator('http://other.example').create({
      ...moved.options,
      rp: { id: 'other.example' },
    })
    const host = { authorization: `Bearer ${await h.cast.ben.token()}`, host: 'other.example' }
    const { ticket: movedTicket, name } = moved
    const body = { ticket: movedTicket, name, credential }
    expect((await h.cast.stranger.call('POST', '/auth/passkeys', body, host)).status).toBe(409)
    const setup = await begin()
    wait(5 * 60_000)
    expect(await refused(setup)).toBe(409)
    expect(((await add(device)).body.data as { name: string }).name).toBe('Blue key')
    expect((await add(device)).body.errors?.[0]?.message).toBe('This passkey has already been added')
    for (const credential of [{}, { id: 1 }, { response: null }, { id: 'x', response: { clientDataJSON: {} } }])
      expect(
        (await h.cast.ben.post('/auth/passkeys', { ticket: setup.ticket, name: 'x', credential })).status,
      ).not.toBe(500)
  })

  test('stores only known transports, and refuses ids and credentials that are too long', async () => {
    await turnOn()
    const send = async (device: Authenticator, response: object) => {
      const { options, ticket } = await begin()
      const created = device.create(options)
      const credential = { ...created, response: { ...created.response, ...response } }
      return (await h.cast.ben.post('/auth/passkeys', { ticket, name: 'x', credential })).status
    }
    for (const transports of [5, 'usb', { a: 1 }, ['<script>', 'nfc', 'usb']])
      expect(await send(new Authenticator(), { transports })).toBe(201)
    const stored = (await h.ctx.db.select().from(passkeys)).map(({ transports }) => transports)
    expect(stored).toEqual([[], [], [], ['usb', 'nfc']])
    expect(await send(new Authenticator(), { transports: ['x'.repeat(14_000)] })).toBe(422)
    expect(await send(new Authenticator('http://localhost', 0), {})).toBe(422)
    expect(await send(new Authenticator('http://localhost', 1024), {})).toBe(422)
    expect(await send(new Authenticator('http://localhost', 1023), {})).toBe(201)
  })

  test('uses each setup once, also for parallel requests and after the passkey was removed', async () => {
    await turnOn()
    const { options, ticket } = await begin()
    const credentials = Array.from({ length: 5 }, () => new Authenticator().create(options))
    const send = (credential: object) => h.cast.ben.post('/auth/passkeys', { ticket, name: 'x', credential })
    const answers = await Promise.all(credentials.map(send))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(4).fill(409)])
    const [added] = await h.ctx.db.select().from(passkeys)
    expect((await h.cast.ben.delete(`/auth/passkeys/${added?.id}`)).status).toBe(200)
    for (const credential of credentials) expect((await send(credential)).status).toBe(409)
  })

  test('cannot be finished with a token that was replaced after a password confirmation', async () => {
    await turnOn()
    const { options, ticket } = await begin()
    expect((await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })).status).toBe(200)
    const credential = new Authenticator().create(options)
    expect((await h.cast.ben.get('/auth/verify')).status).toBe(200)
    expect((await h.cast.ben.post('/auth/passkeys', { ticket, name: 'x', credential })).status).toBe(409)
  })

  test('is limited to ten, and each can be removed only by its owner', async () => {
    await turnOn()
    for (let n = 0; n < 10; n++) expect((await add()).status).toBe(201)
    expect((await h.cast.ben.post('/auth/passkeys/options', {})).status).toBe(409)
    expect((await h.cast.ada.delete('/auth/passkeys/1')).status).toBe(404)
    expect((await h.cast.ben.delete('/auth/passkeys/1')).status).toBe(200)
    wait(2 * 60 * 60_000)
    expect((await h.cast.ben.delete('/auth/passkeys/2')).body.errors?.[0]?.field).toBe('current_password')
    const page = await h.cast.ben.submit('/profile/two-factor/passkeys/2/remove', {})
    expect([page.status, page.location]).toEqual([303, '/profile/confirm?next=%2Fprofile%2Ftwo-factor'])
  })

  test.each(['the owner', 'an administrator', 'the operator'])('ends when %s turns two-factor off', async (who) => {
    await turnOn()
    await add()
    if (who === 'the owner') await h.cast.ben.call('DELETE', '/auth/totp', { current_password: PASSWORD })
    else if (who === 'an administrator') await h.cast.ada.post('/users/2/reset-second-factor', {})
    else await resetAccountFactor(h.database, 'ben')
    expect([await h.ctx.db.$count(passkeys), await h.ctx.db.$count(secondFactors)]).toEqual([0, 0])
    expect((await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })).status).toBe(200)
  })
})

describe('signing in with a passkey', () => {
  test('accepts the answer to its own challenge once', async () => {
    const device = new Authenticator()
    await turnOn()
    await add(device)
    const [first, second] = [await enterPassword(), await enterPassword()]
    wait(1000)
    const passkey = device.get(first.options as never)
    expect([await answer(first.ticket, passkey), await answer(first.ticket, passkey)]).toEqual([303, 401])
    // A challenge that was issued before the last use of the passkey is refused too.
    expect(await answer(second.ticket, device.get(second.options as never))).toBe(401)
    wait(1000)
    const third = await enterPassword()
    expect(await answer(third.ticket, device.get(third.options as never))).toBe(303)
  })

  test('refuses another device, site, account or challenge, and answers without a ticket', async () => {
    const device = new Authenticator()
    await turnOn()
    await add(device)
    wait(1000)
    const { ticket, options } = await enterPassword()
    const requestOptions = options as { challenge: string; rpId?: string }
    expect(await answer(ticket, new Authenticator().get(requestOptions))).toBe(401)
    expect(await answer(ticket, device.get({ ...requestOptions, challenge: 'AAAA' }))).toBe(401)
    expect(await answer(ticket, device.get({ ...requestOptions, rpId: 'evil.example' }))).toBe(401)
    expect(await answer('', device.get(requestOptions))).toBe(422)
    const withPassword = { username: 'ben', password: PASSWORD, passkey: JSON.stringify(device.get(requestOptions)) }
    expect((await h.cast.stranger.submit('/login', withPassword)).status).toBe(401)
    expect(await answer(ticket, device.get(requestOptions))).toBe(303)
  })

  test('is neither offered nor accepted on another port of the same host', async () => {
    const device = new Authenticator('http://localhost:9999')
    await turnOn()
    const there = { host: 'localhost:9999', origin: 'http://localhost:9999' }
    const { options, ticket } = await begin()
    const here = new Authenticator()
    await h.cast.ben.post('/auth/passkeys', { ticket, name: 'Blue key', credential: here.create(options) })
    wait(1000)
    const response = await h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD }, there)
    expect([response.status, response.html.includes('data-options')]).toEqual([401, false])
    const entered = await enterPassword()
    Object.assign(here, { origin: device.origin })
    const passkey = JSON.stringify(here.get(entered.options as never))
    expect((await h.cast.stranger.submit('/login', { ticket: entered.ticket, passkey }, there)).status).toBe(401)
    // A passkey from before the origin was stored works on each port.
    await h.ctx.db.update(passkeys).set({ origin: null })
    expect((await h.cast.stranger.submit('/login', { ticket: entered.ticket, passkey }, there)).status).toBe(303)
  })

  test.each([[null], [[]], [{}], ['text'], [{ id: 1 }], [{ response: { signature: 1 } }]])(
    'refuses the malformed answer %j',
    async (odd) => {
      const device = new Authenticator()
      await turnOn()
      await add(device)
      const { ticket } = await enterPassword()
      const whole = typeof odd === 'object' && odd !== null && !Array.isArray(odd) ? { id: device.id, ...odd } : odd
      expect([await answer(ticket, odd), await answer(ticket, whole)]).toEqual([401, 401])
    },
  )

  test('is offered only after the right password', async () => {
    await turnOn()
    await add()
    const wrong = await h.cast.stranger.submit('/login', { username: 'ben', password: 'Wrong1234' })
    expect([wrong.status, wrong.html.includes('data-options')]).toEqual([401, false])
    expect((await enterPassword()).options?.rpId).toBe('localhost')
  })

  test('counts wrong answers like wrong codes', async () => {
    await turnOn()
    await add()
    const { ticket, options } = await enterPassword()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push(await answer(ticket, new Authenticator().get(options as never)))
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
  })
})

test('an answer with an unreadable id is a wrong answer', async () => {
  await turnOn()
  await add()
  wait(60_000)
  for (const id of [{ toString: 1, valueOf: 1 }, '\0', 5, null, 'x'.repeat(1400)]) {
    const { ticket } = await enterPassword()
    expect([id, await answer(ticket, { id, response: {} })]).toEqual([id, 401])
  }
})

test('an answer cannot be used twice if the clock of the server that asked was ahead', async () => {
  await turnOn()
  const device = new Authenticator()
  await add(device)
  wait(60_000)
  const { ticket, options } = await enterPassword()
  wait(-2000)
  const passkey = device.get(options as NonNullable<typeof options>)
  expect(await answer(ticket, passkey)).toBe(303)
  await h.ctx.db.update(passkeys).set({ counter: 0 })
  expect(await answer(ticket, passkey)).toBe(401)
})
