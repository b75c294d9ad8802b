import { afterAll, expect, test } from 'bun:test'
import net from 'node:net'
import postgres from 'postgres'
import { SERVER_URL } from '../support/context'

/** Several hosts in `DATABASE_URL`: the first is a standby that is down, the second is the primary behind a proxy. */

/** Error response of a server that is starting up. */
const STARTING = (() => {
  const text = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0'
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(text.length + 4, 1)
  return Buffer.concat([head, Buffer.from(text)])
})()

let isStarting = false
const sockets = new Set<net.Socket>()
const target = new URL(String(SERVER_URL))
const proxy = net.createServer((client) => {
  sockets.add(client)
  client.on('error', () => {})
  if (isStarting) {
    client.once('data', () => client.end(STARTING))
    return
  }
  const server = net.connect(Number(target.port), target.hostname)
  sockets.add(server)
  server.on('error', () => client.destroy())
  client.pipe(server)
  server.pipe(client)
  client.on('close', () => server.destroy())
  server.on('close', () => client.destroy())
})
const listening = (server: net.Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port)),
  )
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  proxy.close()
})

test('a connection tries all hosts again after an outage of the primary', async () => {
  const closed = net.createServer()
  const closedPort = await listening(closed)
  await new Promise((resolve) => closed.close(resolve))
  const { username, password } = target
  const hosts = [closedPort, await listening(proxy)].map((port) => `127.0.0.1:${port}`)
  const url = `postgres://${username}:${password}@${hosts}${target.pathname}`
  const sql = postgres(url, { max: 1, connect_timeout: 2, backoff: () => 0.05, onnotice: () => {} })
  const query = () =>
    sql`select 1 as one`.then(
      ([row]) => row?.one,
      (error) => error.code,
    )
  const setStarting = async (value: boolean) => {
    isStarting = value
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    // The pool must notice that its connection was closed.
    await Bun.sleep(100)
  }
  for (let round = 0; round < 3; round++) {
    expect(await query()).toBe(1)
    await setStarting(true)
    for (let failures = 0; failures <= round; failures++) expect(await query()).not.toBe(1)
    await setStarting(false)
    expect(await query()).toBe(1)
  }
  await sql.end()
})
