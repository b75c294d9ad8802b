/**
 * Uploads a file over a slow line, with a plain connection and with Chromium at the same time.
 * Checks that an upload is accepted if it is faster than the minimum speed, which is 28 KB/s.
 *
 *   bun test/faults/slow-uploads.ts [--kbps 32] [--megabytes 25]
 *
 * With the default options, it takes 14 minutes.
 */
import { join } from 'node:path'
import { launchBrowser } from '../support/browser'
import { Instance, newFolder, option, PASSWORD, report, unit } from './support/instance'

const KBPS = option('kbps', 32)
const BYTES = option('megabytes', 25) * 1024 * 1024 - 4096

const testContext = await (await (await Instance.start({ DATA_DIR: newFolder() })).signIn()).furnish()
const HEADER = 'unit_number,location_out,location_in,move_date,transport_company,status,notes\n'
/** Few rows with long notes, because the transfer is tested and not the validation of rows. */
function csv(bytes: number): string {
  const lines = [HEADER]
  for (let n = 0, size = HEADER.length; size < bytes - 1100; n++) {
    const line = `${unit(n)},Here,There,2026-05-01,Haul,In Transit,${'x'.repeat(980)}\n`
    lines.push(line)
    size += line.length
  }
  return lines.join('')
}

/** Uploads over a plain connection at `KBPS`. Returns the first line of the response and the duration. */
async function byConnection(content: string): Promise<{ statusLine: string; seconds: number }> {
  const form = new FormData()
  form.set('data_type', 'transports')
  form.set('file', new File([content], 'slow.csv'))
  const request = new Request(testContext.url, { method: 'POST', body: form })
  const type = request.headers.get('content-type')
  const body = await request.bytes()
  const { hostname, port, host } = new URL(testContext.url)
  const head =
    `POST /api/files/imports HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${testContext.token}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  const began = performance.now()
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, data) => resolve(data.toString().split('\r\n')[0] ?? ''),
      close: () => resolve('closed'),
      error: (_, error) => resolve(error.message),
    },
  })
  socket.write(head)
  let isOver = false
  void promise.then(() => {
    isOver = true
  })
  for (let at = 0; at < body.length && !isOver; at += KBPS * 1000) {
    socket.write(body.subarray(at, at + KBPS * 1000))
    await Bun.sleep(1000)
  }
  return { statusLine: await promise, seconds: (performance.now() - began) / 1000 }
}

/** Uploads with the upload page at the same speed. Returns its final message and the duration. */
async function byBrowser(file: string): Promise<{ status: string; seconds: number }> {
  const browser = await launchBrowser('current')
  if (!browser) throw new Error('No browser is here for this platform')
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${testContext.url}/login`)
  await page.fill('[name=username]', 'admin')
  await page.fill('[name=password]', PASSWORD)
  await page.click('button[type=submit]')
  await page.goto(`${testContext.url}/files/upload?data_type=transports`)
  await page.selectOption('select[name=data_type]', 'transports')
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 20,
    downloadThroughput: 1_000_000,
    uploadThroughput: KBPS * 1000,
  })
  const began = performance.now()
  await page.setInputFiles('input[type=file]', file)
  const answer = await page
    .waitForResponse((response) => response.request().method() === 'POST', { timeout: 3_600_000 })
    .catch(() => null)
  const seconds = (performance.now() - began) / 1000
  await browser.close()
  return { status: answer ? String(answer.status()) : 'nothing', seconds }
}

const content = csv(BYTES)
const folder = newFolder()
await Bun.write(join(folder, 'slow.csv'), content)
const [wire, browser] = await Promise.all([byConnection(content), byBrowser(join(folder, 'slow.csv'))])
await testContext.end()
const size = `${(content.length / 1024 / 1024).toFixed(1)} MB at ${KBPS} kB/s`
report('Slow uploads', [
  [`${size} by a connection, ${Math.round(wire.seconds)} s: ${wire.statusLine}`, wire.statusLine.includes('202')],
  [`${size} by the upload page, ${Math.round(browser.seconds)} s: ${browser.status}`, browser.status === '202'],
])
