import { expect, test } from 'bun:test'
import { join } from 'node:path'
import * as XLSX from 'xlsx'
import { type CurlExample, curlExamples } from '../docs/curl'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

const API = 'http://localhost/api'

/** Creates the records that the examples name: transport 7 in version 3, title 12 and vendor 3. */
async function createRecords({ ada, phoenix, tempe, desert }: Awaited<ReturnType<typeof testContext>>['cast']) {
  for (let at = 1; at <= 7; at++)
    await ada.post('/transports', {
      unit_number: `30000${at}`,
      location_out_id: phoenix,
      location_in_id: tempe,
      move_date: '2026-03-10',
      transport_company_id: desert,
    })
  for (const notes of ['Gate 3', 'Gate 4']) await ada.put('/transports/7', { notes })
  for (let at = 10; at <= 21; at++)
    await ada.post('/titles', { unit_number: `3000${at}`, location_id: phoenix, submitted_date: '2026-01-02' })
  for (const vendor_name of ['Axle Works', 'Bolt & Co', 'Pima Towing']) await ada.post('/vendors', { vendor_name })
}

function workbook(name: string, rows: (string | number)[][]): File {
  const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet(rows))
  return new File([XLSX.write(book, { type: 'buffer', bookType: 'xlsx' })], name)
}

/** The files that the examples upload. */
const FILES: Record<string, File> = {
  '@moves.xlsx': workbook('moves.xlsx', [
    ['unit_number', 'location_out', 'location_in', 'move_date', 'transport_company', 'status'],
    ['100300', 'PHX', 'TMP', '2026-03-10', 'Desert Auto Haul', 'In Transit'],
  ]),
  '@invoice.xlsx': workbook('invoice.xlsx', [
    ['Unit', 'Amount'],
    ['100200', 350],
  ]),
  '@title.pdf': new File(['%PDF-1.4\n'], 'title.pdf'),
}

function bodyOf({ body, form }: CurlExample): string | FormData | undefined {
  if (!form.length) return body?.replace('"admin"', '"ada"').replace('…', PASSWORD)
  const data = new FormData()
  for (const [name, value] of form) data.set(name, FILES[value] ?? value)
  return data
}

test('every example in docs/api.md succeeds, or fails with the status that it states', async () => {
  const { app, cast } = await testContext()
  await createRecords(cast)
  const text = await Bun.file(join(import.meta.dir, '../../docs/api.md')).text()
  const examples = curlExamples(text, { API, TOKEN: String(await cast.ada.token()) })
  expect(examples.length).toBeGreaterThanOrEqual(25)
  for (const example of examples) {
    const { command, status = 200, method, url, headers } = example
    const sent = bodyOf(example)
    const response = await app.handle(
      new Request(url, { method, headers, ...(sent === undefined ? {} : { body: sent }) }),
    )
    const isExpected = status === 200 ? response.ok : response.status === status
    // An event stream does not end, so only failures are read.
    expect([command, isExpected || (await response.text())]).toEqual([command, true])
    await response.body?.cancel()
  }
})
