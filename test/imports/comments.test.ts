import { expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { testContext } from '../support/context'

test('cells with comments are named, because their comments are not imported', async () => {
  const { cast } = await testContext()
  const sheet = XLSX.utils.aoa_to_sheet([
    ['Unit', 'Location', 'Dealer'],
    ['100001', 'Phoenix', 'Valley Truck Sales'],
    ['100002', 'Tempe', 'Mesa RV Center'],
  ])
  const plain = XLSX.utils.aoa_to_sheet([['Nothing']])
  XLSX.utils.cell_add_comment(sheet.C2, 'Call Dana first', 'Kim')
  XLSX.utils.cell_add_comment(sheet.B3, 'Moved on 3/4', 'Kim')
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, plain, 'Cover')
  XLSX.utils.book_append_sheet(book, sheet, 'Titles')
  const file = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
  const { body } = await cast.ben.upload('titles', 'titles.xlsx', file)
  expect(body).toMatchObject({ imported: 2 })
  expect(body.validation_errors).toContain('Comments are not imported: cells C2, B3')
})
