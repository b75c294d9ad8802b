import { expect } from 'bun:test'
import { callApi, inBrowser, open, openDesk, page, today } from '../support/desk'

/** Regression tests of faults that a seventh working day in a browser revealed. */

openDesk()

const PHONE = { width: 390, height: 844 }

inBrowser('on phones, each heading sorts by its own column, and the links below the list work', async () => {
  await page.setViewportSize(PHONE)
  for (const [path, sorts] of [
    ['/transports/active', ['unit_number', 'status', 'location_in_name', 'move_date']],
    ['/titles', ['unit_number', 'location_name', 'dealer_name', 'next_chase_on']],
    ['/admin/locations', ['location_code', 'location_name', 'location_type']],
  ] as const) {
    for (const sort of sorts) {
      await open(path)
      await page.locator(`thead a[href*="sort=${sort}&"]`).click()
      await page.waitForURL((url) => url.searchParams.get('sort') === sort)
    }
    // A trial fails if something else would receive the click.
    for (const link of await page.locator('#list .list-files a').all()) await link.click({ trial: true })
  }
})

inBrowser('the next follow-up of a title is visible at every width', async () => {
  const [title] = await callApi<{ id: number }[]>('GET', '/titles/pending')
  const day = new Date(Date.parse(today()) + 7 * 86_400_000).toISOString().slice(0, 10)
  await callApi('POST', `/titles/${title?.id}/chase`, { note_text: 'Called', next_on: day })
  for (const width of [390, 800, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await open('/titles')
    const cell = page.locator(`#row-${title?.id} time[datetime="${day}"]`)
    expect([width, await cell.isVisible()]).toEqual([width, true])
  }
})

inBrowser('a row that leaves the list keeps the keyboard focus', async () => {
  await open('/due')
  const row = page.locator('#list tbody tr').nth(2)
  const id = await row.getAttribute('id')
  await row.locator('button:text-is("Snooze 1 week")').focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector(`#${id}.is-gone`)
  expect(await page.evaluate(() => document.activeElement?.closest('tr')?.id)).toBe(id as string)
})
