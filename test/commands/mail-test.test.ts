import { afterAll, expect, test } from 'bun:test'
import { mailServer } from '../support/mail-server'
import { outcome, removeFolders, serving, temporaryFolder } from '../support/program'

afterAll(removeFolders)

test('mail-test sends a message, and reports a refusal in one line', async () => {
  const [open, full] = [await mailServer(), await mailServer(true)]
  const send = (env: Record<string, string>) => outcome(env, 'mail-test', 'ada@example.com')
  const host = (url: string) => new URL(url).host
  const [sent, refused, unset] = await Promise.all([
    send({ SMTP_URL: open.url }),
    send({ SMTP_URL: full.url }),
    send({}),
  ])
  expect([sent.code, sent.out]).toEqual([0, `${host(open.url)} accepted a message for ada@example.com`])
  expect(open.received.map(({ to }) => to)).toEqual([['ada@example.com']])
  expect(refused.code).toBe(1)
  expect(refused.err).toStartWith(`SMTP_URL: ${host(full.url)} did not accept the message: `)
  expect([unset.code, unset.err]).toEqual([1, 'SMTP_URL: no mail server is set'])
  await Promise.all([open.close(), full.close()])
})

test('an IPv6 address is printed in brackets', async () => {
  const { child, url } = await serving({ HOST: '::1', DATA_DIR: temporaryFolder() })
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  child.kill('SIGTERM')
  await child.exited
})
