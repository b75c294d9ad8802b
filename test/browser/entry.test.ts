import { expect } from 'bun:test'
import { inBrowser, openDesk, page, served } from '../support/desk'

/** Entering many records by mouse and keyboard. */
openDesk()

const unknownUnit = (n: number) => String(980_000 + n)

async function fillTransport(unit: string) {
  await page.fill('#unit_number', unit)
  for (const name of ['location_out_id', 'location_in_id', 'transport_company_id'])
    await page.evaluate((name) => {
      const select = document.querySelector<HTMLSelectElement>(`#${name}`) as HTMLSelectElement
      select.value = select.options[name === 'location_in_id' ? 2 : 1]?.value ?? ''
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }, name)
}

inBrowser('a double click on a button of a form neither presses Cancel nor confirms an unread warning', async () => {
  await page.goto(`${served.url}/transports/new`)
  await page.waitForLoadState('networkidle')
  await fillTransport(unknownUnit(1))
  const button = page.locator('.form-buttons button:has-text("Create transport")')
  const box = (await button.boundingBox()) as { x: number; y: number; width: number; height: number }
  const [x, y] = [box.x + box.width - 8, box.y + box.height / 2]
  await page.mouse.click(x, y, { clickCount: 2, delay: 5 })
  await page.waitForSelector('.error-summary:has-text("not in the vehicle list"), .is-warning')
  expect(new URL(page.url()).pathname).toBe('/transports/new')
  expect(await page.inputValue('#unit_number')).toBe(unknownUnit(1))
})

inBrowser('the pressed button keeps its place while the form is sent', async () => {
  await page.goto(`${served.url}/titles/new`)
  await page.waitForLoadState('networkidle')
  await page.fill('#unit_number', unknownUnit(2))
  let release = () => {}
  const releaseSignal = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/titles/new', async (route) => {
    if (route.request().method() === 'POST') await releaseSignal
    await route.continue()
  })
  const cancel = page.locator('.form-buttons a')
  const before = await cancel.boundingBox()
  await page.locator('.form-buttons input[type=submit]').click()
  await page.waitForSelector('.form-buttons input[value="Saving..."]:disabled')
  expect(await page.locator('.form-buttons button').isDisabled()).toBe(true)
  expect((await cancel.boundingBox())?.x).toBe(before?.x as number)
  release()
})

inBrowser('Enter in the table of renewals moves to the next row, and does not send the form', async () => {
  await page.goto(`${served.url}/vehicles/registrations?tab=expiring`)
  const ids = await page
    .locator('tbody tr[id]')
    .evaluateAll((rows) => rows.slice(0, 2).map(({ id }) => id.split('-').at(-1)))
  await page.goto(`${served.url}/vehicles/registrations/renew-table?ids=${ids.join('+')}`)
  await page.waitForLoadState('networkidle')
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.tagName)
  expect(await focused()).toBe(`cost.${ids[0]}`)
  await page.keyboard.press('Enter')
  expect(await focused()).toBe(`cost.${ids[1]}`)
  await page.keyboard.press('Enter')
  expect(await focused()).toBe(`cost.${ids[1]}`)
  expect(new URL(page.url()).pathname).toBe('/vehicles/registrations/renew-table')
})

inBrowser('a location that was carried over gives way to the location of the vehicle', async () => {
  const select = page.locator('#location_out_id')
  await page.goto(`${served.url}/transports/new`)
  const ids = await select.locator('option').evaluateAll((all) => all.map((option) => option.getAttribute('value')))
  const carried = String(ids.filter(Boolean)[1])
  await page.goto(`${served.url}/transports/new?location_out_id=${carried}`)
  await page.waitForLoadState('networkidle')
  expect(await select.inputValue()).toBe(carried)
  await page.fill('#unit_number', '100200')
  await page.waitForSelector('label .prefilled:has-text("from the vehicle")')
  const place = await page.locator('.known [data-place]').getAttribute('data-place')
  expect(place).not.toBe(carried)
  expect(await select.inputValue()).toBe(String(place))
})

inBrowser('a prefilled location removes the error of its empty field', async () => {
  await page.goto(`${served.url}/transports/new`)
  await page.waitForLoadState('networkidle')
  await page.fill('#unit_number', '999999')
  await page.keyboard.press('Enter')
  const error = page.locator('[data-error-summary] a[href="#location_out_id"]')
  await error.waitFor()
  await page.fill('#unit_number', '100200')
  await page.waitForSelector('label .prefilled:has-text("from the vehicle")')
  expect(await error.isVisible()).toBe(false)
})

inBrowser('a restored entry keeps the values that the record before has prefilled', async () => {
  page.on('dialog', (dialog) => void dialog.accept())
  const prefilled = { location_in_id: '2', transport_company_id: '1', move_date: '2026-12-09', move_type: 'Sales' }
  await page.goto(`${served.url}/transports/new?${new URLSearchParams(prefilled)}`)
  await page.waitForLoadState('networkidle')
  await page.fill('#unit_number', unknownUnit(7))
  await page.click('.sidebar a:has-text("Active Transports")')
  await page.waitForURL('**/transports/active')
  await page.goto(`${served.url}/transports/new`)
  await page.waitForSelector('.toast:has-text("Your input was restored")')
  const values = ['unit_number', ...Object.keys(prefilled)].map((name) => page.inputValue(`[name=${name}]`))
  expect(await Promise.all(values)).toEqual([unknownUnit(7), ...Object.values(prefilled)])
})
