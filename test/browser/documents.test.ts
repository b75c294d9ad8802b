import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

setDefaultTimeout(600_000)

let served: Served
let browser: Browser
let page: Page
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')

beforeAll(async () => {
  served = await serveApp((db) => createFirstAdmin(commandWrite(db), 'Saguaro42'))
  browser = await launchBrowser()
  page = await (await browser.newContext()).newPage()
  await page.goto(`${served.url}/login`)
  await page.fill('#username', 'admin')
  await page.fill('#password', 'Saguaro42')
  await page.click('button[type=submit]')
  await page.waitForURL('**/dashboard')
  await page.evaluate(() =>
    fetch('/api/vehicles', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ unit_number: '700001' }),
    }),
  )
})
afterAll(async () => {
  await browser?.close()
  await served?.close()
})

test('several documents are uploaded at once with thumbnails, and a refused file is named', async () => {
  await page.goto(`${served.url}/records/vehicles/1/documents`)
  await page.waitForLoadState('networkidle')
  const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
  await page.setInputFiles('[type=file]', [
    file('front.png', 'image/png', PNG),
    file('title.pdf', 'application/pdf', PDF),
  ])
  await page.click('[data-documents] button[type=submit]')
  await page.waitForSelector('.document-link img')
  expect(await page.locator('.document-link').allTextContents()).toEqual(['PDFtitle.pdf', 'front.png'])
  const thumbnail = await page.evaluate(async () => {
    const answer = await fetch(document.querySelector<HTMLImageElement>('.document-link img')?.src ?? '')
    return [answer.status, answer.headers.get('content-type')]
  })
  expect(thumbnail).toEqual([200, 'image/jpeg'])
  await page.setInputFiles('[type=file]', [file('notes.txt', 'text/plain', Buffer.from('text'))])
  await page.click('[data-documents] button[type=submit]')
  await page.waitForSelector('.upload-progress .text-danger')
  expect(await page.locator('.upload-progress').textContent()).toContain('notes.txt: The file must be')
})

test('leaving with a chosen file that is not uploaded asks first', async () => {
  await page.goto(`${served.url}/records/vehicles/1/documents`)
  await page.waitForLoadState('networkidle')
  await page.setInputFiles('[type=file]', [{ name: 'front.png', mimeType: 'image/png', buffer: PNG }])
  let dialogCount = 0
  page.once('dialog', (dialog) => {
    dialogCount++
    void dialog.accept()
  })
  // Browsers ask only after the user has used the page.
  await page.click('h1')
  await page.goto(`${served.url}/dashboard`)
  expect(dialogCount).toBe(1)
})
