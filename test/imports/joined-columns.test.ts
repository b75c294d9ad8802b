import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { rowsOf } = sheets(() => h)

const SHEET = [
  'Unit,OSL Date,Location,Problem,Remarks,Vendor,PO',
  "100001,3/4/2026,PHX,Front brakes metal to metal,Call first,Bob's Towing,7714",
  '100002,3/4/2026,PHX,Radiator leaks badly,,,7715',
  '100003,3/4/2026,PHX,Windshield cracked,,N/A,',
  '100004,3/4/2026,Nowhere,Windshield cracked,Key is inside,Acme,',
]
const FIELDS = ['unit_number', 'osl_date', 'location', 'problem', 'notes', 'notes', 'notes']
const notesOf = async (id: number) => (await rowsOf(id)).slice(0, 3).map(({ values }) => values.notes)
const JOINED = ["Call first\nVendor: Bob's Towing\nPO: 7714", 'PO: 7715', null]

test('several columns are joined in the notes, with their headings, also in later files', async () => {
  const { id } = await h.cast.ben.begin('osl', 'a.csv', SHEET.join('\n'))
  expect((await h.cast.ben.put(`/files/${id}`, { fields: FIELDS, defaults: {} })).status).toBe(200)
  await h.cast.ben.settled(id)
  expect(await notesOf(id)).toEqual(JOINED)
  expect((await h.cast.ben.post(`/files/${id}/commit`)).status).toBe(202)
  await h.cast.ben.settled(id)
  const later = await h.cast.ben.begin('osl', 'b.csv', SHEET.join('\n').replaceAll('10000', '20000'))
  expect(later.found?.fields).toEqual(FIELDS)
  expect(await notesOf(later.id)).toEqual(JOINED)
})

test('a failed row has the joined notes on the page that fixes rows', async () => {
  const { id } = await h.cast.ben.begin('osl', 'a.csv', SHEET.join('\n'))
  await h.cast.ben.put(`/files/${id}`, { fields: FIELDS, defaults: {} })
  await h.cast.ben.settled(id)
  await h.cast.ben.post(`/files/${id}/commit`)
  await h.cast.ben.settled(id)
  const { html } = await h.cast.ben.open(`/files/imports/${id}/mend`)
  expect(html).toContain('Key is inside\nVendor: Acme')
})

test('two columns whose headings mean notes are joined without a question', async () => {
  const lines = ['Unit,Location,Remarks,Comments', '100001,PHX,Lien release,Dealer called']
  const { id } = await h.cast.ben.begin('titles', 'a.csv', lines.join('\n'))
  expect((await rowsOf(id))[0]?.values.notes).toBe('Lien release\nDealer called')
})
