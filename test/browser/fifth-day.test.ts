import { expect } from 'bun:test'
import { callApi, inBrowser, open, openDesk, page } from '../support/desk'

/** Regression tests of faults that a fifth working day in a browser revealed. */

openDesk()

const tops = (selector: string) =>
  page.locator(selector).evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().top))

inBrowser('the next page of Due continues after the shown items if some were snoozed', async () => {
  await open('/due?per_page=25')
  const items = () =>
    page.locator('#list tbody tr td.main a').evaluateAll((links) => links.map((link) => link.textContent))
  const [rows, first] = [page.locator('#list tbody tr'), await items()]
  const total = Number((await page.locator('#range').textContent())?.split(' of ')[1])
  for (const at of [0, 1, 2]) {
    await rows.nth(at).locator('button:text-is("Snooze 1 week")').click()
    await rows.nth(at).and(page.locator('.is-gone')).waitFor()
    await page.waitForTimeout(700)
  }
  await page.waitForFunction((text) => document.querySelector('#range')?.textContent === text, `1–22 of ${total - 3}`)
  await page.locator('.pager a[rel=next]').first().click()
  await page.waitForURL('**gone=3**')
  expect(await page.locator('#range').textContent()).toStartWith('23–')
  expect(first).not.toContain((await items())[0] ?? '')
})

inBrowser('an unknown name in a drop-down with a value is reported at once, and when the form is sent', async () => {
  await open('/transports/new')
  const field = page.getByRole('combobox', { name: 'Transport company', exact: true })
  const error = page.locator('.field', { has: field }).locator('.field-error')
  await field.fill('Copper')
  await page.locator('.combobox-list:not([hidden]) li').first().waitFor()
  await page.keyboard.press('Tab')
  await field.fill('Acme')
  await page.keyboard.press('Tab')
  expect(await error.allTextContents()).toEqual(['No match for “Acme”'])
  await page.keyboard.press('Enter')
  expect(await error.allTextContents()).toEqual(['No match for “Acme”'])
})

inBrowser('the sidebar counts the same due items as the page', async () => {
  await open('/due')
  const shown = async () => [
    await page.locator('[data-due-count]').textContent(),
    /^[\d,]+/.exec((await page.locator('#lead').textContent()) ?? '')?.[0],
  ]
  const [count] = await shown()
  const [{ id }] = await callApi<[{ id: number }]>('GET', '/transports/active?per_page=1&sort=move_date&order=asc')
  await callApi('DELETE', `/transports/${id}`)
  await open('/due')
  const [sidebar, lead] = await shown()
  expect([sidebar, sidebar === count]).toEqual([lead, false])
})

inBrowser('deciding an invoice line moves no other line, and leads to the next one', async () => {
  const [{ id: vendor }] = await callApi<[{ id: number }]>('GET', '/vendors?per_page=1')
  const lines = ['910001', '910002', '910003'].map((unit_number) => ({ unit_number, amount: 120 }))
  const head = { start_date: '2026-09-01', end_date: '2026-09-30' }
  const number = `A long invoice number ${'9'.repeat(18)}`
  const { id } = await callApi<{ id: number }>('POST', `/vendors/${vendor}/invoices`, { ...head, number, lines })
  for (const width of [1280, 1024]) {
    await page.setViewportSize({ width, height: 900 })
    await open(`/invoices/${id}`)
    const rows = () => tops('tbody tr')
    const buttons = () => tops('tbody tr button:text-is("Dispute")')
    const [rowsBefore, buttonsBefore] = [await rows(), await buttons()]
    await page
      .locator('.why')
      .first()
      .fill(`Not ours ${'and never was '.repeat(9)}`)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.toast:has-text("disputed")')
    expect([await rows(), await buttons()]).toEqual([rowsBefore, buttonsBefore.slice(1)])
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    expect(await focused()).toBe('Reason, unit 910002')
    await page.click('.toast button:has-text("Undo")')
    await page.waitForSelector('.toast:has-text("reopened")')
    expect([await rows(), await buttons()]).toEqual([rowsBefore, buttonsBefore])
  }
})
