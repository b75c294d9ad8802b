import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { seedDemo } from '../../db/seed'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from './browser'
import { PASSWORD } from './cast'
import { type Served, serveApp } from './served'

/** A program with the sample fleet and a browser in which its administrator is signed in. */

let browser: Browser
export let served: Served
export let context: BrowserContext
export let page: Page

export const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Phoenix' }).format(new Date())

/** Opens the program and the browser for the tests of a file. */
export function openDesk() {
  setDefaultTimeout(600_000)

  beforeAll(async () => {
    served = await serveApp(async (db) => {
      await createFirstAdmin(commandWrite(db), PASSWORD)
      await seedDemo(db, today())
    })
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })
}

/** Fills in and sends the form of the sign-in page. */
export async function sendSignIn() {
  await page.fill('#username', 'admin')
  await page.fill('#password', PASSWORD)
  await page.click('button[type=submit]')
}

/** Signs in again on the sign-in page to which an ended session leads. */
export async function signInAgain() {
  await page.waitForURL('**/login*')
  await sendSignIn()
}

/**
 * Runs a test in its own browser context, signed in. The context signs in without opening a page, which takes a tenth
 * of the time. `work` opens the first page.
 */
export const inBrowser = (name: string, work: () => Promise<void>) =>
  test(name, async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    page = await context.newPage()
    await context.request.post(`${served.url}/login`, {
      form: { username: 'admin', password: PASSWORD },
      headers: { origin: served.url },
      maxRedirects: 0,
    })
    await work()
    await context.close()
  })

/** Opens a page and waits until its scripts have loaded. */
export async function open(path: string) {
  await page.goto(`${served.url}${path}`)
  await page.waitForLoadState('networkidle')
}

/** Calls the API with the session of the browser context, and returns the data of the response. */
export async function callApi<Data>(method: string, path: string, body?: object): Promise<Data> {
  const headers = { origin: served.url }
  const response = await context.request.fetch(`${served.url}/api${path}`, {
    method,
    headers,
    ...(body && { data: body }),
  })
  return (await response.json()).data as Data
}

export const status = (n = 0) => page.locator('tbody select[name=status]').nth(n)

/** Returns a status that the row does not have. */
export const otherStatus = async (n: number) =>
  (await status(n).inputValue()) === 'In Transit' ? 'Vehicle Not Ready' : 'In Transit'

export const toast = () => page.locator('.toast').last()

/** Returns the list of requests that change something. It grows while the page makes such requests. */
export function changingRequests() {
  const calls: string[] = []
  page.on(
    'request',
    (request) => request.method() !== 'GET' && calls.push(`${request.method()} ${new URL(request.url()).pathname}`),
  )
  return calls
}

/** Delays requests until the returned function is called. */
export async function holdBack(address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await context.route(address, async (route) => {
    await promise
    await route.continue().catch(() => {})
  })
  return resolve
}
