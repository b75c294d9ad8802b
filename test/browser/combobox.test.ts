import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite } from '../../src/platform/records/transactions'
import { launchBrowser } from '../support/browser'
import { type Served, serveApp } from '../support/served'

setDefaultTimeout(600_000)

let served: Served
let browser: Browser
let page: Page

const post = (path: string, body: unknown) =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { data: { id: number } }
    },
    [path, body] as const,
  )

beforeAll(async () => {
  served = await serveApp((db) => createFirstAdmin(commandWrite(db), 'Saguaro42'))
  browser = await launchBrowser()
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  await page.goto(`${served.url}/login`)
  await page.fill('#username', 'admin')
  await page.fill('#password', 'Saguaro42')
  await page.click('button[type=submit]')
  await page.waitForURL('**/dashboard')
  const names = ['Phoenix', 'Mesa', 'Tempe', ...Array.from({ length: 17 }, (_, n) => `Yard ${n + 1}`)]
  for (const [n, location_name] of names.entries())
    await post('/locations', {
      location_code: n < 3 ? location_name.slice(0, 3).toUpperCase() : `Y${n}`,
      location_name,
      location_type: 'Hub',
      other_names: location_name === 'Yard 7' ? ['Lucky lot'] : [],
    })
  await post('/transport-companies', { company_name: 'Desert Auto Haul' })
  await post('/vehicles', { unit_number: '700001', current_location: 'Mesa' })
})
afterAll(async () => {
  await browser?.close()
  await served?.close()
})

const combobox = (label: string) => page.getByRole('combobox', { name: label, exact: true })
const chosen = (name: string) =>
  page.locator(`select[name=${name}]`).evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
const options = () => page.getByRole('option').filter({ visible: true }).allTextContents()
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

describe('a select with more than 15 options', () => {
  beforeEach(async () => {
    // Leaving the form stores a draft, which must not appear in the next test.
    await page.goto('about:blank')
    await page.goto(`${served.url}/dashboard`)
    await page.evaluate(() => sessionStorage.clear())
    await page.goto(`${served.url}/transports/new`)
    await page.waitForLoadState('networkidle')
  })

  test('finds entries by code, alias and any word, and Tab or Enter chooses the marked one', async () => {
    const out = combobox('Location out')
    await out.focus()
    await page.keyboard.type('mes')
    expect(await options()).toEqual(['Mesa (MES)'])
    expect(await page.getByText('1 result').filter({ visible: true }).count()).toBe(1)
    await press('Tab')
    expect([await chosen('location_out_id'), await out.inputValue()]).toEqual(['Mesa (MES)', 'Mesa (MES)'])
    expect(await combobox('Location in').evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('lucky')
    expect(await options()).toEqual(['Yard 7 (Y9), Lucky lot'])
    await press('Enter')
    expect([await chosen('location_in_id'), page.url()]).toEqual(['Yard 7 (Y9)', `${served.url}/transports/new`])
    await press('ArrowDown')
    expect((await options()).length).toBe(20)
    await press('ArrowDown', 'Enter')
    expect(await chosen('location_in_id')).toBe('Yard 8 (Y10)')
  })

  test('closes at the first Escape and is cleared by the second', async () => {
    const out = combobox('Location out')
    await out.focus()
    await page.keyboard.type('temp')
    await press('Enter', 'ArrowDown')
    expect(await out.getAttribute('aria-expanded')).toBe('true')
    await press('Escape')
    expect([await out.getAttribute('aria-expanded'), await chosen('location_out_id')]).toEqual(['false', 'Tempe (TEM)'])
    await press('Escape')
    expect([await out.inputValue(), await chosen('location_out_id')]).toEqual(['', 'Choose…'])
  })

  test('keeps text without a match and does not send the form', async () => {
    const out = combobox('Location out')
    await out.fill('Nowhere')
    await press('Tab')
    const errors = page.locator('.field-error')
    expect(await errors.allTextContents()).toEqual(['No match for “Nowhere”'])
    await page.fill('[name=unit_number]', '700002')
    await press('Enter')
    expect([await out.inputValue(), page.url()]).toEqual(['Nowhere', `${served.url}/transports/new`])
    expect(await errors.allTextContents()).toEqual(['No match for “Nowhere”'])
    await page.locator('select[name=location_out_id]').selectOption({ label: 'Phoenix (PHO)' })
    await out.fill('')
    await press('Tab')
    expect(await chosen('location_out_id')).toBe('Choose…')
    expect(await errors.count()).toBe(0)
  })

  test('is chosen with the mouse, labelled, and passes the accessibility checks', async () => {
    await page.locator('label[for=location_out_id]').click()
    expect(await combobox('Location out').evaluate((input) => input === document.activeElement)).toBe(true)
    await press('ArrowDown')
    await page.getByRole('option', { name: 'Yard 3 (Y5)' }).click()
    expect(await chosen('location_out_id')).toBe('Yard 3 (Y5)')
    await press('ArrowDown')
    await page.evaluate(readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8'))
    const { violations } = (await page.evaluate(() =>
      (globalThis as unknown as { axe: { run(what: unknown, how: unknown): Promise<unknown> } }).axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
      }),
    )) as AxeResults
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })

  test('takes the location of the vehicle until another is chosen', async () => {
    await page.fill('[name=unit_number]', '700001')
    await page.waitForSelector('.prefilled')
    expect([await chosen('location_out_id'), await combobox('Location out').inputValue()]).toEqual([
      'Mesa (MES)',
      'Mesa (MES)',
    ])
    await combobox('Location out').fill('pho')
    await press('Tab')
    expect([await chosen('location_out_id'), await page.locator('.prefilled').count()]).toEqual(['Phoenix (PHO)', 0])
  })
})
