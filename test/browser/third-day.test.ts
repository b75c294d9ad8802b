import { expect } from 'bun:test'
import { context, inBrowser, openDesk, page, sendSignIn, served, toast } from '../support/desk'

/** Regression tests of faults that a third working day in a browser revealed. */

openDesk()

const open = async (path: string) => {
  await page.goto(`${served.url}${path}`)
  await page.waitForLoadState('networkidle')
}
const box = async (selector: string) => {
  const { x, width } = (await page.locator(selector).first().boundingBox()) ?? { x: 0, width: 0 }
  return [x, width]
}

inBrowser('a rejected form in a dialog is restored when the dialog opens again', async () => {
  await open('/vehicles/registrations?tab=overdue')
  const renew = page.locator('a[data-modal][href*="/renew"]').first()
  await renew.click()
  await page.fill('dialog #notes', 'Sticker is on the desk')
  await page.fill('dialog #cost', '99..10')
  await page.click('dialog .button-primary')
  await page.waitForSelector('dialog [data-error-summary]')
  await page.keyboard.press('Escape')
  await page.click('dialog .modal-question button:text-is("Close")')
  await page.waitForSelector('dialog:not([open])', { state: 'attached' })
  await renew.click()
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('dialog #cost')?.value === '99..10')
  expect(await page.inputValue('dialog #notes')).toBe('Sticker is on the desk')
})

inBrowser('a date that is cleared again restores the status', async () => {
  await open('/transports/new')
  const before = await page.inputValue('#status')
  await page.fill('#actual_arrival_date', '2026-11-01')
  expect(await page.inputValue('#status')).toBe('Delivered')
  await page.fill('#actual_arrival_date', '')
  expect(await page.inputValue('#status')).toBe(before)
})

inBrowser('a typed password is asked for again after another mistake', async () => {
  await open('/admin/users/new')
  await page.fill('#username', 'dora')
  await page.fill('#password', 'Quartz-Lantern-88')
  await page.fill('#email', 'dora@')
  await page.click('form.form .button-primary')
  await page.waitForSelector('[data-error-summary]')
  const errors = await page.locator('[data-error-summary] li').allTextContents()
  expect(errors).toEqual(['E-mail: Must be an e-mail address', 'Enter the password again'])
  expect(await page.isChecked('input[type=checkbox][name=temporary_password]')).toBe(false)
})

inBrowser('scans survive the end of the session without a warning', async () => {
  await open('/scan?as=received')
  const cookies = await context.cookies()
  await context.clearCookies()
  let warnings = 0
  page.on('dialog', (dialog) => {
    warnings++
    void dialog.accept()
  })
  await page.fill('[data-scan]', '999999')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login*')
  expect([cookies.length > 0, warnings]).toEqual([true, 0])
  await sendSignIn()
  await page.waitForSelector('.scan-log li:has-text("No vehicle found for 999999")')
})

inBrowser('errors in the table of renewals do not move its columns, and Back works afterwards', async () => {
  await open('/vehicles/registrations?tab=overdue')
  const ids = await page.locator('tbody tr').evaluateAll((rows) => rows.slice(0, 3).map(({ id }) => id.slice(4)))
  await open(`/vehicles/registrations/renew-table?ids=${ids.join('+')}`)
  const cost = `[name="cost.${ids[0]}"]`
  const before = await box(cost)
  await page.fill(cost, '99..10')
  await page.click('form.form .button-primary')
  await page.waitForSelector('td .field-error')
  expect(await box(cost)).toEqual(before)
  await open('/dashboard')
  await page.goBack()
  expect(await page.locator('h1').textContent()).toBe('Renew registrations')
})

inBrowser('a refused status of an OSL entry stays on its page', async () => {
  await open('/osl/active')
  await page.click('tbody td.unit a')
  await page.waitForSelector('form.line-form')
  const address = page.url()
  const top = async () => (await page.locator('h2').first().boundingBox())?.y
  const before = await top()
  await page.fill('[name=completed_on]', '2020-01-01')
  await page.click('form.line-form button')
  await page.waitForSelector('form.line-form .field-error')
  expect([page.url(), await top()]).toEqual([address, before])
  await page.fill('[name=completed_on]', '')
  await page.selectOption('form.line-form [name=status]', 'In Repair')
  await page.click('form.line-form button')
  await toast().waitFor()
  expect(await toast().textContent()).toContain('is now In Repair')
})
