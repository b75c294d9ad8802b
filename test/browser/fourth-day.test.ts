import { expect } from 'bun:test'
import { callApi, inBrowser, open, openDesk, page } from '../support/desk'

/** Regression tests of faults that a fourth working day in a browser revealed. */

openDesk()

const ids = () => page.locator('#list tbody tr').evaluateAll((rows) => rows.map(({ id }) => id))

inBrowser('Tab leaves the search of a drop-down with many options', async () => {
  for (let n = 10; n < 30; n++) {
    const place = { location_name: `Overflow Yard ${n}`, location_code: `Y${n}`, location_type: 'Hub' }
    expect(await callApi('POST', '/locations', place)).toMatchObject(place)
  }
  await open('/transports/new')
  await page.getByRole('combobox', { name: 'Location out', exact: true }).focus()
  await page.keyboard.type('overflow')
  await page.locator('.combobox-list:not([hidden]) li').nth(12).waitFor()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await focused()).toBe('Location in')
})

inBrowser('the next page continues after the shown rows if some have left the list', async () => {
  await open('/titles?per_page=25')
  const first = await ids()
  const total = Number((await page.locator('#range').textContent())?.split(' of ')[1])
  expect(total).toBeGreaterThan(26)
  for (const id of first.slice(0, 3)) {
    await page.click(`#${id} button:text-is("Mark Transferred")`)
    await page.waitForSelector(`#${id}.is-gone, #${id}.is-done, #${id}[data-own]`)
    await page.waitForTimeout(700)
  }
  await page.waitForFunction((text) => document.querySelector('#range')?.textContent === text, `1–22 of ${total - 3}`)
  expect(await page.locator('#list-files').textContent()).toContain(`Export all ${total - 3} `)
  await page.fill('.pager-jump [name=page]', '2')
  await page.click(`#${first[3]} button:text-is("Mark Transferred")`)
  await page.focus('.pager-jump [name=page]')
  await page.waitForFunction((text) => document.querySelector('#range')?.textContent === text, `1–21 of ${total - 4}`)
  expect(await page.inputValue('.pager-jump [name=page]')).toBe('2')
  await page.keyboard.press('Enter')
  await page.waitForURL('**gone=4**')
  expect(await page.locator('#range').textContent()).toBe(`22–${total - 4} of ${total - 4}`)
  const second = await ids()
  expect(second).toHaveLength(total - 25)
  expect(second.filter((id) => first.includes(id))).toEqual([])
})

inBrowser('a note is reported although another form on the page has input', async () => {
  await open('/osl/active')
  await page.click('tbody td.unit a')
  await page.waitForSelector('form.line-form')
  let questions = 0
  page.on('dialog', (dialog) => {
    questions++
    void dialog.accept()
  })
  await page.click('summary:has-text("daily rate")')
  await page.fill('[name=daily_rate]', '17')
  await page.fill('[name=note_text]', 'Waiting for the part')
  await page.click('button:text-is("Add note")')
  await page.waitForSelector('.toast:has-text("Note added")')
  expect([await page.inputValue('[name=daily_rate]'), questions]).toEqual(['17', 0])
})
