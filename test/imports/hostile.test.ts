import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import * as XLSX from 'xlsx'
import { readSheet } from '../../src/platform/imports/spreadsheet/read-sheet'
import { Refused } from '../../src/platform/refusals'
import { testContext } from '../support/context'
import { seeded } from '../support/property'
import { textCell, workbook, zip } from '../support/zip'

const HEADER = `<row r="1">${textCell('A1', 'unit_number')}${textCell('B1', 'location')}</row>`
const ROW = `<row r="2">${textCell('A2', '100201')}${textCell('B2', 'Phoenix')}</row>`
const LARGE = 100_000_000
const million = (each: (n: number) => string) => Array.from({ length: 1_000_000 }, (_, n) => each(n + 2)).join('')
const columns = Array.from({ length: 16_384 }, (_, at) => textCell(`${XLSX.utils.encode_col(at)}1`, `c${at}`)).join('')

/** Changes a zip file so that each part claims to have one byte. */
function understated(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length - 46; at++) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 1, true)
  }
  return bytes
}

const text = (content: string) => new TextEncoder().encode(content)

/** Files with the message of their refusal, or with their number of rows. */
const FILES: [name: string, make: () => Uint8Array, expected: string | number][] = [
  ['bomb.xlsx', () => workbook(`${HEADER}${ROW}${' '.repeat(350_000_000)}`), 'The workbook contains far too much data'],
  [
    'lying-bomb.xlsx',
    () => understated(workbook(`${HEADER}${ROW}${' '.repeat(350_000_000)}`)),
    'The workbook is damaged',
  ],
  [
    'parts.xlsx',
    () => zip(Array.from({ length: 2100 }, (_, n): [string, string] => [`p${n}`, 'x'])),
    'The workbook file has too many internal parts. Copy the rows to a new workbook.',
  ],
  [
    'cell.xlsx',
    () => workbook(`${HEADER}<row r="2">${textCell('A2', 'x'.repeat(LARGE))}</row>`),
    'A cell holds more than 32,767 characters',
  ],
  [
    'text.xlsx',
    () => workbook(HEADER, `<sst><si><t>${'x'.repeat(LARGE)}</t></si></sst>`),
    'A cell holds more than 32,767 characters',
  ],
  [
    'texts.xlsx',
    () => workbook(HEADER, `<sst>${'<si><t>a</t></si>'.repeat(5_000_000)}</sst>`),
    'The workbook contains too many different text values',
  ],
  ['empty-rows.xlsx', () => workbook(HEADER + million((n) => `<row r="${n}"></row>`)), 0],
  ['empty-cells.xlsx', () => workbook(HEADER + million((n) => `<row r="${n}"><c r="A${n}"/></row>`)), 0],
  [
    'rows.xlsx',
    () => workbook(HEADER + million((n) => `<row r="${n}"><c r="A${n}"><v>1</v></c></row>`)),
    'The file has more than 200,000 rows; split it',
  ],
  ['wide.xlsx', () => workbook(`<row r="1">${columns}</row>`), 'The file has more than 200 columns'],
  ['nested.xlsx', () => workbook(`${HEADER}${'<a>'.repeat(2_000_000)}${'</a>'.repeat(2_000_000)}`), 0],
  [
    'entities.xlsx',
    () => zip([['xl/workbook.xml', '<!DOCTYPE x [<!ENTITY a "b">]><workbook/>']]),
    'The workbook is damaged',
  ],
  ['deep.xlsx', () => workbook(`${HEADER}<row r="2"><c r="A2"><is>${'<t>'.repeat(8_000_000)}`), 0],
  ['attribute.xlsx', () => workbook(`${HEADER}<row r="2" spans="${'x'.repeat(LARGE)}`), 'The workbook is damaged'],
  ['brackets.xlsx', () => workbook(`${HEADER}<row r="2" spans="${'>'.repeat(LARGE)}`), 'The workbook is damaged'],
  ['tag.xlsx', () => workbook(`${HEADER}<row r="${'9'.repeat(1_000_000)}">`), 'The workbook is damaged'],
  ['macro.xlsx', () => workbook(HEADER + ROW, undefined, undefined, [['xl/vbaProject.bin', 'Sub Auto_Open()']]), 1],
  [
    'formula.xlsx',
    () => workbook(`${HEADER}<row r="2"><c r="A2"><f>1+1</f><v>100201</v></c>${textCell('B2', 'Phoenix')}</row>`),
    1,
  ],
  [
    'merges.xlsx',
    () => {
      const merges = '<mergeCell ref="A2:A200000"/>'.repeat(20_000)
      const rows = Array.from({ length: 199_000 }, (_, n) => `<row r="${n + 2}"><c r="B${n + 2}"><v>1</v></c></row>`)
      return workbook(`${HEADER}${rows.join('')}</sheetData><mergeCells>${merges}</mergeCells><sheetData>`)
    },
    199_000,
  ],
  [
    'columns.xlsx',
    () => {
      const hidden = ['-1000000000', '-1e16', 'x', '1.5'].map((min) => `<col min="${min}" max="16384" hidden="1"/>`)
      return workbook(`${HEADER}${ROW}</sheetData><cols>${hidden.join('')}</cols><sheetData>`)
    },
    1,
  ],
  [
    'archive.xls',
    () => {
      const container = XLSX.CFB.utils.cfb_new()
      XLSX.CFB.utils.cfb_add(container, '/Workbook', workbook(HEADER + ROW))
      return new Uint8Array(XLSX.CFB.write(container, { type: 'array' }) as unknown as ArrayBuffer)
    },
    'The file could not be read as .xls',
  ],
  ['nothing.xlsx', () => zip([['readme.txt', 'not a workbook']]), 'The file could not be read as .xlsx'],
  [
    'quote.csv',
    () => text(`unit_number,location\n"${'x'.repeat(24_000_000)}`),
    'The file has a line that is far too long after row 1; check for an unclosed quotation mark',
  ],
  [
    'commas.csv',
    () => text(`unit_number,location\n${','.repeat(24_000_000)}`),
    'The file has a line that is far too long after row 1; check for an unclosed quotation mark',
  ],
  [
    'lines.csv',
    () => text(`unit_number,location\n${'\n'.repeat(24_000_000)}`),
    'The file has more than 1,048,576 lines',
  ],
  [
    'short.csv',
    () => text(`unit_number,location\n${'1\n'.repeat(12_000_000)}`),
    'The file has more than 200,000 rows; split it',
  ],
  ['zeros.csv', () => new Uint8Array(1_000_000), 'The file cannot be read as CSV, because the content is not text'],
]

/** Reads a file. Returns the number of its rows, or the message of its refusal. Throws other errors. */
async function outcomeOf(bytes: Uint8Array, name: string): Promise<string | number> {
  let count = 0
  try {
    await readSheet(
      bytes,
      name,
      { row: null },
      {
        likeness: () => 0,
        header() {},
        rows(rows) {
          count += rows.length
        },
      },
    )
    return count
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

describe('safe handling of hostile files', () => {
  for (const [name, make, expected] of FILES)
    test(name, async () => expect(await outcomeOf(make(), name)).toBe(expected))
})

describe('damaged files', () => {
  const fixture = (name: string) => Bun.file(join(import.meta.dir, 'fixtures', name)).bytes()

  test('with flipped or cut XLSX bytes never crash the reader', async () => {
    const good = await fixture('transports.xlsx')
    const damage = fc.array(fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) }), {
      minLength: 1,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(damage, fc.option(fc.nat(good.length - 1), { freq: 4 }), async (flips, cut) => {
        const bytes = new Uint8Array(good)
        for (const { at, byte } of flips) bytes[at] = byte
        expect(['string', 'number']).toContain(
          typeof (await outcomeOf(cut === null ? bytes : bytes.slice(0, cut), 'x.xlsx')),
        )
      }),
      seeded(1500),
    )
  }, 600_000)

  test('with malformed XLSX XML never crash the reader', async () => {
    const scrap = fc.constantFrom(
      '<row r="3">',
      '</row>',
      '<c r="A3" t="s">',
      '<c>',
      '</c>',
      '<v>',
      '</v>',
      '1',
      '-1',
      'x',
      '<is><t>',
      '</t></is>',
      '<!--',
      '-->',
      '&#x110000;',
      '&amp',
      '<',
      '>',
      '"',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      'r="ZZZZZZ9"',
      ' ',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(scrap, { maxLength: 40 }), async (scraps) => {
        expect(['string', 'number']).toContain(
          typeof (await outcomeOf(workbook(`${HEADER}${scraps.join('')}`), 'x.xlsx')),
        )
      }),
      seeded(1500),
    )
  }, 600_000)

  test('with random CSV bytes never crash the reader', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect(['string', 'number']).toContain(typeof (await outcomeOf(bytes, 'x.csv')))
      }),
      seeded(3000),
    )
  }, 600_000)
})

describe('hostile uploads', () => {
  let h: Awaited<ReturnType<typeof testContext>>
  beforeEach(async () => {
    h = await testContext()
  })

  test('of damaged .xls files return 200 or 422, and the next upload works', async () => {
    const good = await Bun.file(join(import.meta.dir, 'fixtures', 'transports.xls')).bytes()
    const damage = fc.array(fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) }), {
      minLength: 1,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(damage, async (flips) => {
        const bytes = new Uint8Array(good)
        for (const { at, byte } of flips) bytes[at] = byte
        const { status } = await h.cast.ben.upload('transports', 'damaged.xls', bytes)
        expect([200, 422]).toContain(status)
      }),
      // Only 15 runs, because each can take the reader's whole time limit.
      seeded(15),
    )
    expect((await h.cast.ben.upload('titles', 'good.csv', 'unit_number,location\n100201,PHX\n')).body.imported).toBe(1)
  }, 600_000)

  test('with an .xls file that made the spreadsheet library loop are rejected', async () => {
    const { status, body } = await h.cast.ben.upload(
      'transports',
      'endless.xls',
      await Bun.file(join(import.meta.dir, 'fixtures', 'endless.xls')).bytes(),
    )
    expect([status, body.message]).toEqual([422, 'The file could not be read as .xls'])
  })
})
