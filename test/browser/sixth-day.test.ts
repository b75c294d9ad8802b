import { expect } from 'bun:test'
import { callApi, inBrowser, open, openDesk, page } from '../support/desk'

/** Regression tests of faults that a sixth working day in a browser revealed. */

openDesk()

inBrowser('the filter by kind stays as it is when a due item is snoozed', async () => {
  await open('/due')
  const kinds = page.locator('#kinds')
  const [chosen, before] = [await kinds.inputValue(), await kinds.locator('option').allTextContents()]
  await page.locator('#list tbody tr').first().locator('button:text-is("Snooze 1 week")').click()
  await page.waitForFunction((before) => document.querySelector('#kinds')?.textContent !== before, before.join(''))
  expect(await kinds.inputValue()).toBe(chosen)
})

inBrowser('the bulk edit bar counts only the rows that are ticked', async () => {
  await open('/titles')
  const rows = page.locator('#list tbody tr')
  for (const at of [0, 1, 2]) await rows.nth(at).locator('input[name=ids]').click()
  await page.waitForSelector('[data-selected]:text-is("3 selected")')
  await rows.nth(1).locator('[title^="Mark transferred"]').first().click()
  await page.waitForSelector('.toast')
  await page.waitForSelector('[data-selected]:text-is("2 selected")')
})

inBrowser('rows that were left out of an import are left out again when the table is restored', async () => {
  await open('/dashboard')
  const id = await page.evaluate(async () => {
    const body = new FormData()
    body.set('file', new File(['unit_number,location\n100300,Nowhere\nA12,PHX\n'], 'a.csv', { type: 'text/csv' }))
    body.set('data_type', 'titles')
    const sent = await fetch('/api/files/imports', { method: 'POST', body })
    return ((await sent.json()) as { data: { id: number } }).data.id
  })
  for (let status = ''; status !== 'ready'; await page.waitForTimeout(100))
    status = (await callApi<{ status: string }>('GET', `/files/${id}`)).status
  await open(`/files/imports/${id}/mend`)
  const box = page.locator('td.leave input').first()
  await box.check()
  await page.locator('input[data-cell]').first().fill('100301')
  page.once('dialog', (question) => void question.accept())
  await open('/dashboard')
  await open(`/files/imports/${id}/mend`)
  await page.waitForSelector('.toast:has-text("Your input was restored")')
  expect(await box.isChecked()).toBe(true)
})
