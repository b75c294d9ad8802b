import { beforeEach, describe, expect, test } from 'bun:test'
import XLSX from 'xlsx'
import type { Db } from '../../db/client'
import { COMPANY, VENDOR } from '../../src/features/billing/billers'
import { linesOfSheet } from '../../src/features/billing/sheet'
import { businessClock } from '../../src/platform/clock'
import { NOON, testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
let yard: number
beforeEach(async () => {
  h = await testContext()
  yard = await vendor('Bolt & Co')
})

const vendor = async (vendor_name: string) =>
  ((await h.cast.ada.post('/vendors', { vendor_name, storage_daily_rate: 35 })).body.data as { id: number }).id
const stay = async (unit_number: string, osl_date: string, more: object = {}) => {
  const problem = 'Transmission slips in third gear'
  const body = { unit_number, osl_date, vendor_id: yard, location_id: h.cast.phoenix, problem, ...more }
  return ((await h.cast.ben.post('/osl', body)).body.data as { id: number }).id
}
type Line = { id: number; unit_number: string; status: string; decision: string | null; version: number }
type Invoice = { id: number; number: string; lines: (Line & Record<string, unknown>)[] }

describe('an invoice sheet', () => {
  const ctx = { db: {} as Db, clock: businessClock('America/Phoenix', () => NOON), log: () => {} }
  const read = (text: string, choice: Parameters<typeof linesOfSheet>[3] = {}) =>
    linesOfSheet(ctx, VENDOR, new File([text], 'bill.csv'), choice).then(
      ({ lines }) => lines,
      (error) => error.message,
    ) as Promise<unknown>
  test('leaves out credits and lines that are not charged, with a warning', async () => {
    const text = 'Unit,Amount\n100001,350\n100002,N/C\n100003,(25.00)\n100004,Included\n'
    const { lines, warnings } = await linesOfSheet(ctx, VENDOR, new File([text], 'bill.csv'))
    expect(lines).toMatchObject([{ unit_number: '100001' }])
    expect(warnings.map(({ message }) => message)).toEqual(
      ['100002 with the amount N/C', '100003 with the amount (25.00)', '100004 with the amount Included'].map(
        (line, at) => `Not included in the totals: Row ${at + 3}: ${line} is not charged`,
      ),
    )
  })

  async function uploadInvoice(number: string, file: File, more: Record<string, string> = {}) {
    const form = new FormData()
    for (const [field, value] of Object.entries({
      number,
      start_date: '2026-02-01',
      end_date: '2026-02-28',
      file,
      ...more,
    }))
      form.set(field, value)
    const headers = { origin: 'http://localhost', ...(await h.cast.ben.cookieHeaders()) }
    const response = await h.cast.ben.request(`/api/vendors/${yard}/invoices`, { method: 'POST', body: form, headers })
    const body = (await response.json()) as { data: { id: number; notes: string[] }; warnings: { message: string }[] }
    return { status: response.status, body }
  }
  const line = (unit_number: string, amount: string, days: string | null = null, daily_rate: string | null = null) =>
    expect.objectContaining({ unit_number, amount, days, daily_rate })

  test('is refused if an unquoted comma has split an amount', async () => {
    expect(await read('Unit,Amount\n100001,$1,250.00\n')).toBe(
      'Row 2: The row has more cells than the header row. If a value contains a comma, put quotation marks around it.',
    )
    expect(await read('Unit,Amount,Notes\n100001,$1,250\n')).toBe(
      'Row 2: An amount probably contains a comma but has no quotation marks. Put quotation marks around the amount.',
    )
    expect(await read('Unit,Rate,Days,Amount\n100001,$35,120,$4200\n')).toEqual([line('100001', '$4200', '120', '$35')])
  })

  test('reads the total of each line, and says so if there are other amounts', async () => {
    for (const [heads, cells, amount] of [
      ['Unit,Storage Fee,Gate Fee,Total', '548.10,50,598.10', '598.10'],
      ['Unit,Tow Fee,Storage Charges,Total Due', '150,35,185', '185'],
      ['Unit,Amount Previously Billed,Current Charges', '90,35', '35'],
      ['Unit,Total Miles,Total', '116,35', '35'],
      ['Vehicle Make,Unit Price,Due Date,Unit,Amt', 'Ford,5,3/1/2026,100001,35', '35'],
      ['Unit,Storage Fee,Extended Price', '$10.00,$280.00', '$280.00'],
      ['Unit,Charge,Net', '10.00,280.00', '280.00'],
      ['Unit,Invoice Total,Price', '560,280', '280'],
      ['Unit,VAT Amount,Gross', '28.00,308.00', '308.00'],
      ['Unit,Amount,Tax,Total w/ Tax', '280,20,300', '280'],
      ['Unit,YTD Amount,Price', '1400.00,280.00', '280.00'],
      ['Unit,Past Due,Current', '560.00,280.00', '280.00'],
      ['Unit,Charge Code,Price', '4010,280', '280'],
      ['Unit,Total Wt,Price', '18000,500', '500'],
      ['Charge Type,Unit,Fee', '3,100001,35', '35'],
      ['Stock #,Unit #,Amount', '990001,100001,35', '35'],
      ['Truck #,Vehicle #,Amount', '551,100001,35', '35'],
      ['Business Unit,Vehicle #,Amount', 'West,100001,35', '35'],
      ['Unit Size,Unit #,Amount', '26,100001,35', '35'],
      ['Equip No,Amount', '100001,35', '35'],
      ['Unit,Amount (CAD),Amount', '48,35', '35'],
    ] as const)
      expect([heads, await read(`${heads}\n${heads.startsWith('Unit,') ? '100001,' : ''}${cells}\n`)]).toEqual([
        heads,
        [line('100001', amount)],
      ])
    const file = new File(['Unit,Tow Fee,Total\n100001,150,185\n'], 'bill.csv')
    expect((await linesOfSheet(ctx, VENDOR, file)).warnings).toEqual([
      {
        code: 'amount_column',
        field: 'amount_column',
        message: 'Amounts were read from the column "Total", not "Tow Fee".',
      },
    ])
    const rows = (...cells: string[]) => cells.map((cell, at) => `10000${at + 1},${cell}\n`).join('')
    const lines = [line('100001', '50'), line('100002', '30'), line('100003', '20')]
    expect(await read(`Unit,Haul,Total\n${rows('50,100', '30,100', '20,100')}`)).toEqual(lines)
    expect(await read(`Unit,Charge,Balance\n${rows('50,50', '30,80', '20,100')}`)).toEqual(lines)
    expect(await read(`Unit,Tow,Total\n${rows('50,100', '50,100')}`)).toEqual([
      line('100001', '100'),
      line('100002', '100'),
    ])
    const unknown = new File(['Unit,Haul Fee,Toll\n100001,500.00,12.00\n'], 'bill.csv')
    expect((await linesOfSheet(ctx, VENDOR, unknown)).warnings.map(({ message }) => message)).toEqual([
      'Amounts were read from the column "Haul Fee", not "Toll".',
    ])
  })

  test('reads dates in the order that the heading or decimal commas imply, and skips void lines', async () => {
    const linesOf = async (text: string, biller = COMPANY) =>
      (await linesOfSheet(ctx, biller as typeof COMPANY, new File([text], 'bill.csv'))).lines
    for (const text of [
      'Unit,Date (dd/mm/yyyy),Amount\n100001,05/02/2026,35\n',
      'Unit;Date;Amount\n100001;05.02.2026;314,45\n',
      'Unit,Bill Date,Ship Date,Amount\n100001,3/1/2026,2/5/2026,35\n',
      'Unit,Order Date,Delivered,Amount\n100001,2/1/2026,2/5/2026,35\n',
    ])
      expect([text, await linesOf(text)]).toMatchObject([text, [{ move_date: '2026-02-05' }]])
    const days = 'Unit,Grace Days,Days,Tax Rate,Daily Rate,Amount\n100001,3,20,8.6,39.35,787\n'
    expect(await read(days)).toEqual([line('100001', '787', '20', '39.35')])
    const voided = new File(['Unit,Amount,Status\n100001,35,\n100002,50,VOID - reissued\n'], 'bill.csv')
    const { lines, warnings } = await linesOfSheet(ctx, VENDOR, voided)
    expect([lines.length, warnings[0]?.message]).toEqual([
      1,
      'Not included in the totals: Row 3: 100002 is marked as VOID - reissued',
    ])
    const dotted = new File(['Unit;Days;Rate;Amount\n100001;27;39,35;1.062\n'], 'bill.csv')
    expect(await linesOfSheet(ctx, VENDOR, dotted).catch(({ message }) => message)).toContain('has three decimals')
  })

  test('needs unit and amount columns, and total rows are skipped', async () => {
    const days = 'Unit;Date;Amount\n100001;31.01.2026;35\n100002;05.02.2026;35\n'
    expect((await linesOfSheet(ctx, COMPANY, new File([days], 'bill.csv'))).lines).toMatchObject([
      { move_date: '2026-01-31' },
      { move_date: '2026-02-05' },
    ])
    expect(await read('Unit,Amount\n100001,35\nSales tax,$0.00\n')).toEqual([line('100001', '35')])
    const loss = 'Unit,Description,Amount\n100001,Total loss - storage,35\n2,Total,35\n'
    expect(await read(loss)).toEqual([line('100001', '35')])
    expect(await read('Unit,Amount\n100001,35\n7,5.50\nTotal,40.50\n')).toEqual([
      line('100001', '35'),
      line('000007', '5.50'),
    ])
    expect(await read('Amount due,Rate,Days,Stock no\n350,35,10,100001\n')).toEqual([line('100001', '350', '10', '35')])
    // A column has one meaning: `Daily charge` is the rate, so it is not the amount too.
    expect(await read('Unit,Daily charge,Total\n100001,35,350\n')).toEqual([line('100001', '350', null, '35')])
    const lacking = 'The file needs a column for the unit and a column for the amount. The columns of the file are '
    for (const [text, columns] of [
      ['Unit,Place\n100001,Mesa\n', '"Unit", "Place".'],
      ['Amount,Place\n35,Mesa\n', '"Amount", "Place".'],
      ['Unit rate\n100001\n', '"Unit rate".'],
    ] as const)
      expect([text, await read(text)]).toEqual([text, lacking + columns])
    expect(await read('Unit,Amount\n100001,35\n100002,12x\n')).toBe(
      'Row 3: Must be an amount, for example 1250.50, not "12x"',
    )
  })

  test('leaves out invalid rows on request, names them, and keeps the notes with the invoice', async () => {
    const text = 'Veh #,Amount\n100001,35\nCredit,($50.00)\n,100\n100002,12x\nRemit to PO Box 102400,\nTotal,85\n'
    expect(await read(text, { skip_invalid: true })).toEqual([line('100001', '35')])
    expect(await read(text)).toStartWith('Row 4: 100 has no unit number; Row 5')
    const notes = [
      'Row 3: "Credit" ($50.00) has no unit number',
      'Row 4: 100 has no unit number',
      'Row 5: Must be an amount, for example 1250.50, not "12x"',
    ].map((problem) => `Not included in the totals: ${problem}`)
    const { status, body } = await uploadInvoice('R-1', new File([text], 'bill.csv'), { skip_invalid: 'true' })
    expect([status, body.data.notes, body.warnings.map(({ message }) => message)]).toEqual([201, notes, notes])
    const page = (await h.cast.ben.open(`/invoices/${body.data.id}`)).text
    for (const note of notes) expect(page).toContain(note)
    expect(await read('Veh #,Amount\nCredit,($50.00)\n,100\n')).toBe(
      'Row 2: "Credit" ($50.00) has no unit number; Row 3: 100 has no unit number',
    )
    expect(await read('Unit,Days,Rate,Amount\n100001,24 days,35,840\n')).toEqual([line('100001', '840', '24', '35')])
  })

  test('leaves out subtotals of units and charges without a unit, and names the charges', async () => {
    const text = 'Unit,Date,Amount\n100001,3/1/2026,60\n100001 Total,,60\nSales Tax,,5.16\nGrand Total,,65.16\n'
    const { status, body } = await uploadInvoice('R-2', new File([text], 'bill.csv'))
    expect([status, body.warnings.map(({ message }) => message)]).toEqual([
      201,
      ['Not included in the totals: Row 4: "Sales Tax" 5.16 has no unit number'],
    ])
  })

  test('of a transport company reads the day from a column with dates', async () => {
    const text = 'Unit,Pickup,Delivery,Ship Date,Total\n100001,PHX,TUS,3/1/2026,314.45\n'
    const read = linesOfSheet(h.ctx, COMPANY, new File([text], 'bill.csv'))
    expect((await read).lines).toEqual([{ unit_number: '100001', amount: '314.45', move_date: '2026-03-01' }])
  })

  test('is read by the sheet and the headings that the user names', async () => {
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ['Unit', 'Amount'],
        [100001, 35],
      ]),
      'March',
    )
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ['Ours', 'Ref', 'Net'],
        [100002, 7, 40],
      ]),
      'April',
    )
    const file = new File([new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))], 'bill.xlsx')
    const choose = (choice: Parameters<typeof linesOfSheet>[3]) =>
      linesOfSheet(ctx, VENDOR, file, choice).then(
        ({ lines }) => lines,
        ({ errors }) => errors,
      )
    const april = { sheet: 'April', unit_column: 'ours', amount_column: ' Net ' }
    expect(await choose(april)).toMatchObject([{ unit_number: '100002', amount: 40 }])
    expect(await choose({ sheet: 'May' })).toEqual([
      { field: 'sheet', message: 'No such sheet. The file has "March", "April".' },
    ])
    expect(await choose({ ...april, amount_column: 'Gross' })).toEqual([
      { field: 'amount_column', message: 'No such column. The columns of the file are "Ours", "Ref", "Net".' },
    ])
  })

  test('is read from one sheet or several, and warns about the sheets that were not read', async () => {
    const book = XLSX.utils.book_new()
    const sheet = (rows: unknown[][]) => XLSX.utils.aoa_to_sheet(rows)
    XLSX.utils.book_append_sheet(
      book,
      sheet([
        ['Unit', 'Amount'],
        ['100001', 35],
      ]),
      'Storage',
    )
    XLSX.utils.book_append_sheet(
      book,
      sheet([
        ['Unit', 'Amount'],
        ['100002', 474],
      ]),
      'Towing',
    )
    const file = new File([XLSX.write(book, { type: 'array', bookType: 'xlsx' })], 'bill.xlsx')
    const onlyStorage = {
      code: 'unread_sheet',
      field: 'sheet',
      message: 'Only the sheet "Storage" was read, not "Towing".',
    }
    expect<object[]>((await linesOfSheet(ctx, VENDOR, file)).warnings).toEqual([onlyStorage])
    expect(await linesOfSheet(ctx, VENDOR, file, { sheet: 'Towing, Storage' })).toMatchObject({
      lines: [
        { unit_number: '100002', amount: 474 },
        { unit_number: '100001', amount: 35 },
      ],
      warnings: [],
    })
    expect((await uploadInvoice('S-1', file)).body).toMatchObject({ success: true, warnings: [onlyStorage] })
  })

  test('can be an .xls file, and has at most 1 MB', async () => {
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ['Unit', 'Amount'],
        [100001, 35],
      ]),
      'Storage',
    )
    const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'biff8' }))
    for (const name of ['bill.xls', 'bill.xlsx'])
      expect((await linesOfSheet(ctx, VENDOR, new File([bytes], name))).lines).toMatchObject([{ amount: 35 }])
    const begin = 'Unit,Amount\n100001,35\n'
    const limit = 1024 * 1024
    expect(await read(begin + '\n'.repeat(limit - begin.length))).toEqual([line('100001', '35')])
    expect(await read(begin + '\n'.repeat(limit - begin.length + 1))).toBe(
      'The file is larger than 1 MB, which is the limit for an invoice. Check that you chose the right file.',
    )
  })
})

test('pasted lines accept several formats, and errors name the line', async () => {
  await stay('100001', '2026-01-20')
  const paste = (lines: string) =>
    h.cast.ben.submit(`/vendors/${yard}/invoices/new`, {
      number: crypto.randomUUID(),
      start_date: '2026-02-01',
      end_date: '2026-02-10',
      lines,
    })
  const both = 'enter unit and amount, or unit, days, rate and amount, separated by spaces'
  for (const [lines, error] of [
    ['', 'Enter at least one line with a unit number and an amount'],
    ['Unit Amount\nTotal 35\nSubtotal 5\nSum 40', 'Enter at least one line with a unit number and an amount'],
    ['100001', `Line 1: ${both}`],
    ['\n\n100001 1 2', `Line 3: ${both}`],
    ['100001 1 2 3 4', `Line 1: ${both}`],
    ['100001 10 35 12x', 'Line 1: Must be an amount, for example 1250.50'],
    ['100001 1.5 35 350', 'Line 1: Days: Must be a whole number'],
  ])
    expect([lines, (await paste(String(lines))).find('.field-error')]).toEqual([lines, [error]] as never)
  for (const lines of ['100001;350', '#100001 350', '100001\t10\t$35.00\t$350.00', '100001, 10, 35, 350'])
    expect([lines, (await paste(lines)).status]).toEqual([lines, 303])
  const read = (await h.cast.ben.get(`/vendors/${yard}/invoices/3`)).body.data as unknown as Invoice
  expect(read.lines).toMatchObject([{ unit_number: '100001', amount: 350 }])
})
