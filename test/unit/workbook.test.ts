import { expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { fileBytes } from '../../src/platform/lists/tables/table-file'
import { type SheetColumn, type SheetValue, xlsxStream } from '../../src/platform/lists/tables/workbook'

const COLUMNS: SheetColumn[] = [{ label: 'Notes', kind: 'text', width: 12 }]

/**
 * Rows that do not compress.
 * `made` counts batches of 1,000 rows, and `isClosed` is true after the source was closed.
 */
function source(batches: number, failAt = -1) {
  const sourceState = { made: 0, isClosed: false }
  async function* rows(): AsyncGenerator<SheetValue[][]> {
    try {
      for (; sourceState.made < batches; sourceState.made++) {
        if (sourceState.made === failAt) throw new Error('The database is gone')
        yield Array.from({ length: 1000 }, () => [crypto.randomUUID()])
      }
    } finally {
      sourceState.isClosed = true
    }
  }
  return { sourceState, rows: rows() }
}

test('a workbook stream waits for its reader, and cancelling it closes the rows', async () => {
  const { sourceState, rows } = source(2000)
  const pieces = xlsxStream(COLUMNS, rows)
  for (let byteCount = 0; byteCount < 300_000; )
    byteCount += (await pieces.next()).value?.length ?? Number.POSITIVE_INFINITY
  await Bun.sleep(200)
  expect(sourceState.made).toBeLessThan(500)
  await pieces.return(undefined)
  await Bun.sleep(50)
  expect(sourceState.isClosed).toBe(true)
})

test('an error while reading rows aborts the workbook', async () => {
  const { rows } = source(100, 30)
  const all = async () => {
    for await (const _ of xlsxStream(COLUMNS, rows));
  }
  await expect(all()).rejects.toThrow('The database is gone')
})

const written = (columns: SheetColumn[], rows: SheetValue[][]) => {
  async function* atOnce() {
    yield rows
  }
  return new Response(xlsxStream(columns, atOnce()) as unknown as BodyInit).bytes()
}
const partOf = (bytes: Uint8Array, name: string) =>
  Buffer.from(XLSX.CFB.find(XLSX.CFB.read(bytes, { type: 'array' as never }), name)?.content as Uint8Array).toString()

test('workbooks with the same content are identical', async () => {
  const bytes = await written(COLUMNS, [['a'], ['b & c']])
  expect(bytes).toEqual(await written(COLUMNS, [['a'], ['b & c']]))
  // The first part has the zip version 2.0, the earliest possible date and no extra field.
  const head = new DataView(bytes.buffer, bytes.byteOffset)
  expect([head.getUint16(4, true), head.getUint32(10, true), head.getUint16(28, true)]).toEqual([20, 0x00210000, 0])
})

test('each kind of cell has its style and position, and blank cells are omitted', async () => {
  const kinds = ['text', 'date', 'count', 'money', 'decimal', 'percent'] as const
  const columns = kinds.map((kind, at) => ({ label: kind, kind, width: 10 + at }))
  const sheet = partOf(
    await written(columns, [
      ['a', '2026-03-14', 1, 2.5, 3.5, 4.5],
      [5, null, '', undefined as never, 0, 'none'],
    ]),
    'sheet1.xml',
  )
  const [, widths, body, range] = /<cols>(.*)<\/cols><sheetData>(.*)<\/sheetData>(.*)<\/worksheet>/.exec(sheet) ?? []
  const text = (at: string, is: string, style = '') =>
    `<c r="${at}" t="inlineStr"${style}><is><t xml:space="preserve">${is}</t></is></c>`
  expect(body).toBe(
    [
      `<row r="1">${kinds.map((kind, at) => text(`${'ABCDEF'[at]}1`, kind, ' s="6"')).join('')}</row>`,
      `<row r="2">${text('A2', 'a')}<c r="B2" s="1"><v>46095</v></c><c r="C2" s="2"><v>1</v></c>`,
      '<c r="D2" s="3"><v>2.5</v></c><c r="E2" s="4"><v>3.5</v></c><c r="F2" s="5"><v>4.5</v></c></row>',
      `<row r="3"><c r="A3" s="0"><v>5</v></c><c r="E3" s="4"><v>0</v></c>${text('F3', 'none')}</row>`,
    ].join(''),
  )
  expect(widths).toStartWith(
    '<col min="1" max="1" width="10" customWidth="1"/><col min="2" max="2" width="11" customWidth="1"/>',
  )
  expect(range).toBe('<autoFilter ref="A1:F3"/>')
  expect(partOf(await written(COLUMNS, []), 'workbook.xml')).toContain('Yardmaster!$A$1:$A$1<')
})

test('columns continue after Z, and dates use spreadsheet serial numbers', async () => {
  const wide = Array.from({ length: 703 }, (_, at) => ({ label: `${at}`, kind: 'text' as const, width: 9 }))
  const sheet = XLSX.read(await written(wide, [])).Sheets.Yardmaster as XLSX.WorkSheet
  for (const [cell, label] of Object.entries({
    A1: 0,
    Z1: 25,
    AA1: 26,
    AB1: 27,
    AZ1: 51,
    BA1: 52,
    ZZ1: 701,
    AAA1: 702,
  }))
    expect([cell, sheet[cell]?.v]).toEqual([cell, String(label)])
  const days = ['1900-01-01', '1900-02-28', '1900-03-01', '1900-03-02', '2026-03-14']
  const column = [{ label: 'Day', kind: 'date' as const, width: 9 }]
  const dates = partOf(
    await written(
      column,
      days.map((day) => [day]),
    ),
    'sheet1.xml',
  )
  // Excel counts 29 February 1900 as day 60, although there was no such day.
  expect([...dates.matchAll(/<v>(\d+)<\/v>/g)].map(([, count]) => Number(count))).toEqual([1, 59, 61, 62, 46095])
})

test('table files format amounts, yes/no values, formulas and column widths', async () => {
  const columns = [
    { key: 'name', label: 'Name', kind: 'text' as const },
    { key: 'cost', label: 'What it cost', kind: 'money' as const },
    { key: 'count', label: 'n', kind: 'count' as const },
    { key: 'isDone', label: 'Done', kind: 'text' as const },
  ]
  const rows: object[] = [
    { name: '=1+1', cost: 1250.5, count: 2.5, isDone: true },
    { name: '-12.50', cost: null, count: 3, isDone: false },
    { name: '@home, too', cost: 0, count: null },
    { name: '+1 602', cost: 'unknown', count: 1 },
  ]
  expect(new TextDecoder().decode(await fileBytes('csv', columns, rows as never))).toBe(
    [
      'Name,What it cost,n,Done',
      "'=1+1,1250.50,2.5,Yes",
      '-12.50,,3,No',
      `"'@home, too",0.00,,`,
      "'+1 602,unknown,1,",
      '',
    ].join('\r\n'),
  )
  const widths = async (list: object[]) => {
    const sheet = partOf(await fileBytes('xlsx', columns.slice(0, 3), list as never), 'sheet1.xml')
    return [...sheet.matchAll(/width="(\d+)"/g)].map(([, width]) => Number(width))
  }
  // A column is slightly wider than the longest of its first 200 values.
  expect(await widths(rows)).toEqual([13, 15, 6])
  const long = (at: number) => Array.from({ length: 300 }, (_, n) => ({ name: n === at ? 'x'.repeat(90) : 'x' }))
  expect([await widths(long(0)), await widths(long(199)), await widths(long(200))]).toEqual([
    [60, 15, 4],
    [60, 15, 4],
    [7, 15, 4],
  ])
})
