import { describe, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { decodeText } from '../../src/platform/imports/spreadsheet/csv'
import { readSheet } from '../../src/platform/imports/spreadsheet/read-sheet'
import { refusal, sheetOf } from '../support/sheet-reader'
import { textCell, workbook, zip } from '../support/zip'

const lines = (count: number, line = '1,2') => `${line}\n`.repeat(count)

describe('a text file', () => {
  test('is decoded from UTF-8, UTF-16 or windows-1252', () => {
    const bytes = (text: string, isBig = false) => {
      const units = Buffer.from(text, 'utf16le')
      return new Uint8Array(isBig ? units.swap16() : units)
    }
    const texts: [Uint8Array, string][] = [
      [Buffer.from('\uFEFFCafé'), 'Café'],
      [Buffer.from('Café'), 'Café'],
      [Buffer.from('Café', 'latin1'), 'Café'],
      [bytes('\uFEFFCafé'), 'Café'],
      [bytes('\uFEFFCafé', true), 'Café'],
      [bytes('unit_number'), 'unit_number'],
      [bytes('unit_number', true), 'unit_number'],
      // Words that begin with the first byte of a byte order mark, but not with all of it.
      [Buffer.from('ÿes', 'latin1'), 'ÿes'],
      [Buffer.from('þes', 'latin1'), 'þes'],
      [Buffer.from('ïes', 'latin1'), 'ïes'],
      // A zero in one of four bytes is not enough for UTF-16.
      [Uint8Array.of(0x61, 0, 0x62, 0x63), 'a\0bc'],
      [Uint8Array.of(0, 0x61, 0x62, 0x63), '\0abc'],
      [new Uint8Array(), ''],
    ]
    expect(texts.map(([content]) => decodeText(content).text)).toEqual(texts.map(([, text]) => text))
    // Invalid, overlong and cut sequences are read byte by byte, next to valid ones.
    const mixed: [number[], string, number][] = [
      [[0xc3, 0xa9, 0xff], 'éÿ', 1],
      [[0xc3, 0xa9, 0xe0, 0x80, 0x80], 'éà€€', 3],
      [[0xc3, 0xa9, 0xed, 0xa0, 0x80], 'éí\u00a0€', 3],
      [[0xf0, 0x9f, 0x98, 0x80, 0xf4, 0x90, 0x80, 0x80], '😀ô\u0090€€', 4],
      [[0xe2, 0x82, 0xac, 0xe2, 0x82], '€â‚', 2],
      [[0xc3, 0xa9, 0xc0, 0x81], 'éÀ\u0081', 2],
    ]
    for (const [content, text, foreign] of mixed)
      expect(decodeText(Uint8Array.from(content))).toEqual({ text, encoding: 'utf-8', foreign })
    // Text without any multibyte character is windows-1252 as a whole, so no single character is reported.
    expect(decodeText(Buffer.from('Café', 'latin1'))).toMatchObject({ encoding: 'windows-1252', foreign: 0 })
  })

  test('is split by the delimiter of most of its first lines', async () => {
    const parted = async (text: string) => (await sheetOf(text)).header.names
    expect(await parted('Fleet; of the; desert\nunit,place\n1,2')).toEqual(['unit', 'place'])
    expect(await parted('Desert\nMarch\nFleet\nunit,place\n1,2\n')).toEqual(['unit', 'place'])
    expect(await parted('a;b,c;d,e;f\n1;2,3;4,5;6\n')).toEqual(['a', 'b,c', 'd,e', 'f'])
    expect(await parted('"a;b;c",d')).toEqual(['a;b;c', 'd'])
    expect(await parted('alone\n1\n')).toEqual(['alone'])
    // Only the first fifty lines decide on the delimiter.
    expect(await parted(`a,b\n${lines(23)}${lines(26, '1;2')}`)).toEqual(['a,b'])
    expect(await parted(`a,b\n${lines(24)}${lines(26, '1;2')}`)).toEqual(['a', 'b'])
    // A line that goes beyond the first 64 KB does not count either.
    expect(await parted(`a,b\n${'x'.repeat(65_000)}\n${'1;2;'.repeat(300)}`)).toEqual(['a', 'b'])
    expect(await parted('sep=|\na|b,c\n')).toEqual(['a', 'b,c'])
  })

  test('keeps its line numbers, and rows with a single cell', async () => {
    const { header, rows, numbers } = await sheetOf('sep=,\na,b\n\n,2\n1\n" ",\n3,\n')
    expect([header.row, rows, numbers]).toEqual([2, [['', '2'], ['1'], ['3', '']], [4, 5, 7]])
  })

  test('is rejected with row and reason when damaged', async () => {
    expect(await refusal('a,b\n1,2\n"3"x,4\n')).toBe(
      'The file is damaged near row 3: a quote within a cell is not doubled',
    )
    expect(await refusal('a,b\n1,2\n"3,4\n')).toBe('The file is damaged near row 3: a quote is not closed')
    // Longer than one chunk of a file.
    expect(await refusal(`a,"${'x'.repeat(600_000)}"\n1,2\n2,3\n`)).toBe(2)
    expect(await refusal('a,b\n1,\0\n')).toBe('The file cannot be read as CSV, because the content is not text')
  })

  test('is limited to the number of lines that Excel supports', async () => {
    const blank = (count: number) => `a,b\n${'\n'.repeat(count - 2)}1,2`
    expect(await refusal(blank(1_048_576))).toBe(1)
    expect(await refusal(blank(1_048_577))).toBe('The file has more than 1,048,576 lines')
  })

  test('may hold one character, and may start like a workbook', async () => {
    expect(await sheetOf('a')).toMatchObject({ header: { names: ['a'] }, isText: true })
    expect((await sheetOf('PK,b')).header.names).toEqual(['PK', 'b'])
  })
})

describe('a table', () => {
  const letters = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join()

  test('has its likeliest header among the first forty filled lines', async () => {
    const header = async (text: string, chosen?: number) => (await sheetOf(text, 'a.csv', chosen)).header.row
    expect(await header(`${lines(39, 'X,Y\n')}a,b\n${lines(5)}`)).toBe(79)
    expect(await header(`${lines(40, 'X,Y\n')}a,b\n${lines(5)}`)).toBe(1)
    expect(await header('X,Y\na,Y\nb,Y\n')).toBe(2)
    expect(await header('X,Y\nX,Z\n')).toBe(1)
    expect(await header('X,Y\na,b\n1,2\n3,4\n', 3)).toBe(3)
    expect(await header('X,Y\na,b\n1,2\n3,4\n', 9)).toBe(2)
  })

  test('shows its first rows with at most eight cells of forty characters', async () => {
    const long = `${'x'.repeat(39)}\u{1F69A}`
    const { header, rows } = await sheetOf(`Fleet\na,b,c,d,e,f,g,h,i\n${long},2,3,4,5,6,7,8,9\n`)
    expect(header.names).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
    expect(header.first_rows).toEqual([
      { row: 1, cells: ['Fleet'] },
      { row: 2, cells: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] },
      { row: 3, cells: [`${'x'.repeat(39)}\uFFFD`, '2', '3', '4', '5', '6', '7', '8'] },
    ])
    expect(rows).toEqual([[long, '2', '3', '4', '5', '6', '7', '8', '9']])
  })

  test('is limited to 202 columns and 200,000 rows', async () => {
    expect((await sheetOf(letters(202))).header.names.length).toBe(202)
    expect(await refusal(letters(203))).toBe('The file has more than 200 columns')
    expect((await sheetOf(`${letters(202)},,`)).header.names.length).toBe(202)
    expect(await refusal(`a,b\n${lines(200_000)}`)).toBe(200_000)
    expect(await refusal(`a,b\n${lines(200_001)}`)).toBe('The file has more than 200,000 rows; split it')
  })

  test('is refused for its width before hundreds of thousands of cells are compared with headings', async () => {
    const compared: number[] = []
    const reader = {
      likeness: (cells: string[]) => compared.push(cells.length) && 0,
      header: () => {},
      rows: () => {},
    }
    const bytes = new TextEncoder().encode(`${'a,'.repeat(100_000)}\n`)
    const message = await readSheet(bytes, 'wide.csv', { row: null }, reader).catch(String)
    expect([message, Math.max(...compared)]).toEqual(['Error: The file has more than 200 columns', 203])
  })

  test('is read completely and reports its progress', async () => {
    expect((await sheetOf(`a,b\n${lines(5)}`)).read).toEqual([1])
    const { rows, read } = await sheetOf(`a,b\n${lines(199_999)}`)
    expect([rows.length, read.length, read.at(-1)]).toEqual([199_999, 2, 1])
    expect(read[0]).toBeCloseTo(0.655, 2)
  })
})

describe('a workbook', () => {
  const value = (at: string, type: string, text: string, more = '') =>
    `<c r="${at}" t="${type}"${more}><v>${text}</v></c>`
  const row = (cells: string, number: number | string = '') => `<row r="${number}">${cells}</row>`
  const HEADER = row(`${textCell('A1', 'a')}${textCell('B1', 'b')}`, 1)
  const cellsOf = async (cells: string, texts?: string, styles?: string) =>
    (await sheetOf(workbook(HEADER + row(cells, 2), texts, styles), 'a.xlsx')).rows[0]

  test('supports cells of every type', async () => {
    const texts =
      '<sst>x<si>x<t>One</t>\n</si><si><r><t>Tw</t></r><rPh><t>a</t><t>id</t></rPh><r><t>o_x0041_</t></r></si></sst>'
    const cells: [cell: string, read: unknown][] = [
      [value('A2', 's', '0'), 'One'],
      [value('A2', 's', '1'), 'TwoA'],
      [value('A2', 'str', 'x_x0042_'), 'xB'],
      [value('A2', 'b', '1'), true],
      [value('A2', 'b', 'true'), true],
      [value('A2', 'b', '0'), false],
      [value('A2', 'e', '#REF!'), { error: '#REF!' }],
      [value('A2', 'd', '2026-03-01T12:30'), { date: '2026-03-01' }],
      [value('A2', 'd', 'March'), 'March'],
      [value('A2', 'n', '12.5'), 12.5],
      [value('A2', 'n', 'many'), 'many'],
      ['<c><v>7</v></c>', 7],
      ['<c t="inlineStr"><is><t>x</t></is><v>5</v></c>', 'x'],
      ['<c><is><t>y</t></is></c>', 'y'],
      ['<c><f>A1+1</f></c>', { formula: true }],
      ['<c><f>A1+1</f><v>2</v></c>', 2],
    ]
    for (const [cell, read] of cells) expect([cell, await cellsOf(cell, texts)]).toEqual([cell, [read]])
    const nothing = [value('A2', 's', '9'), '<c t="str"><f>A1</f><v></v></c>', '<c/>', '<c t="inlineStr"><is/></c>']
    for (const cell of nothing) expect([cell, await cellsOf(cell, texts)]).toEqual([cell, undefined])
    expect(await cellsOf(`<c><f>A1</f></c><x><t>beside</t></x><c/>${textCell('C2', 'z')}`)).toEqual([
      { formula: true },
      null,
      'z',
    ])
  })

  test('has dates only where its cell styles define them', async () => {
    const format = (id: number, code: string) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`
    const long = (length: number) => 'yyyy'.padEnd(length)
    const styles =
      `<styleSheet><numFmts>${format(164, 'yyyy-mm-dd')}${format(165, long(299))}${format(166, long(300))}</numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"><alignment/></xf><xf numFmtId="165"/><xf ` +
      `numFmtId="166"/><xf numFmtId="999"/></cellXfs>
      <cellStyles><xf numFmtId="14"/></cellStyles></styleSheet>`
    const styled = ['', ...[0, 1, 2, 3, 4, 5, 6].map((style) => ` s="${style}"`)]
    const cells = styled.map((style, at) => value(`${'ABCDEFGH'[at]}2`, 'n', '46000', style)).join('')
    const day = { date: '2025-12-09' }
    expect(await cellsOf(cells, undefined, styles)).toEqual([46_000, 46_000, day, day, day, 46_000, 46_000, 46_000])
    expect(await cellsOf(value('A2', 'n', '-1', ' s="1"'), undefined, styles)).toEqual([-1])
  })

  test('places cells and rows by their references, or else in sequence', async () => {
    const { rows, numbers } = await sheetOf(
      workbook(
        [
          HEADER,
          row(`<c r="C2"><v>3</v></c><c r="A2"><v>1</v></c><c><v>2</v></c>`, 2),
          row('<c r="Z9"><v>26</v></c><c r="AA9"><v>27</v></c><c r="BA9"><v>53</v></c>'),
          row('<c r="A1"><v>8</v></c>', 8),
          row('<c r="1"><v>9</v></c>', 8),
          row('<c r="A1"><v>10</v></c>', 5),
          row('<c r="A1"/>', 11),
          row('<c r="A1"><v>end</v></c>', 1_048_576),
        ].join(''),
      ),
      'a.xlsx',
    )
    expect(rows[0]).toEqual([1, 2, 3])
    expect(Object.entries(rows[1] ?? []).filter(([, cell]) => cell !== null)).toEqual([
      ['25', 26],
      ['26', 27],
      ['52', 53],
    ])
    expect(rows.slice(2)).toEqual([[8], [9], [10], ['end']])
    expect(numbers).toEqual([2, 3, 8, 9, 10, 1_048_576])
    expect(await refusal(workbook(HEADER + row('<c><v>1</v></c>', 1_048_577)), 'a.xlsx')).toBe(
      'The sheet has more rows than Excel supports',
    )
  })

  test('is limited to the cell length of Excel and to 202 columns', async () => {
    const most = 'x'.repeat(32_767)
    const si = (text: string) => `<sst><si><t>${text}</t></si></sst>`
    expect(await cellsOf(textCell('A2', most))).toEqual([most])
    expect(await cellsOf(value('A2', 'str', most))).toEqual([most])
    expect(await cellsOf(value('A2', 's', '0'), si(most))).toEqual([most])
    const tooLong = 'A cell holds more than 32,767 characters'
    expect(await refusal(workbook(HEADER + row(textCell('A2', `${most}x`))), 'a.xlsx')).toBe(tooLong)
    expect(await refusal(workbook(HEADER + row(value('A2', 'str', `${most}x`))), 'a.xlsx')).toBe(tooLong)
    expect(await refusal(workbook(HEADER, si(`${most}x`)), 'a.xlsx')).toBe(tooLong)
    const columns = (count: number) =>
      workbook(row(Array.from({ length: count }, (_, at) => textCell(XLSX.utils.encode_col(at), 'x')).join('')))
    expect(await refusal(columns(202), 'a.xlsx')).toBe(0)
    expect(await refusal(columns(203), 'a.xlsx')).toBe('The file has more than 200 columns')
  })

  test('is read correctly in many chunks', async () => {
    const text = '€'.repeat(30_000)
    const { header, rows, read } = await sheetOf(
      workbook(
        `${' '.repeat(300_000)}${HEADER}${row(textCell('A2', text) + value('B2', 's', '0')).repeat(45)}`,
        `<sst><si><t>${text}</t></si></sst>`,
      ),
      'a.xlsx',
    )
    expect([header.row, header.names]).toEqual([1, ['a', 'b']])
    expect(rows).toEqual(Array.from({ length: 45 }, () => [text, text]))
    expect([read.length > 1, read.at(-1)]).toEqual([true, 1])
  })

  test('is cleared of characters that a database cannot store', async () => {
    expect(await cellsOf(textCell('A2', 'a_x0000_b') + textCell('B2', 'c_xD800_d'))).toEqual(['ab', 'c\uFFFDd'])
  })

  const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const book = (sheets: string[], properties = '', more: [string, string][] = []) =>
    zip([
      [
        'xl/workbook.xml',
        `<workbook>${properties}<sheets>${sheets
          .map((_, at) => `<sheet r:id="r${at}"/>`)
          .join('')}</sheets></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        `<Relationships>${sheets
          .map((_, at) => `<Relationship Id="r${at}" Type="${TYPE}/worksheet" Target="s${at}.xml"/>`)
          .join('')}
          <Other Id="r0" Target="no.xml"/></Relationships>`,
      ],
      ...sheets.flatMap((sheet, at): [string, string][] => (sheet ? [[`xl/s${at}.xml`, sheet]] : [])),
      ...more,
    ])

  test('is read from its first sheet with content', async () => {
    const empty = `<sheetData>${row('<c r="A1"/>', 1)}</sheetData>`
    const first = await sheetOf(book([empty, row(textCell('A1', 'a')), row(textCell('A1', 'b'))]), 'a.xlsx')
    expect(first).toMatchObject({ header: { names: ['a'] }, isText: false })
    expect(await refusal(book([empty, empty]), 'a.xlsx')).toBe('The workbook is empty')
    for (const sheets of [[], ['']])
      expect(await refusal(book(sheets), 'a.xlsx')).toBe('The file could not be read as .xlsx')
  })

  test('uses the 1904 date system when its properties say so', async () => {
    const counted = async (properties: string) => (await sheetOf(book([HEADER], properties), 'a.xlsx')).date1904
    expect(await counted('')).toBe(false)
    expect(await counted('<workbookPr/>')).toBe(false)
    expect(await counted('<workbookPr date1904="0"/>')).toBe(false)
    expect(await counted('<workbookPr date1904="true"/><other/>')).toBe(true)
    expect(await counted('<workbookPr date1904="1"/>')).toBe(true)
  })

  test('is limited to 2,000 parts, none of them encrypted', async () => {
    const parts = (count: number) =>
      book(
        [HEADER],
        '',
        Array.from({ length: count - 3 }, (_, at): [string, string] => [`p${at}`, '']),
      )
    expect(await refusal(parts(2000), 'a.xlsx')).toBe(0)
    expect(await refusal(parts(2001), 'a.xlsx')).toBe(
      'The workbook file has too many internal parts. Copy the rows to a new workbook.',
    )
    const locked = book([HEADER])
    const at = Buffer.from(locked).indexOf('PK\x01\x02', 'latin1')
    locked[at + 8] = 1
    expect(await refusal(locked, 'a.xlsx')).toBe('The workbook is protected with a password')
  })
})
