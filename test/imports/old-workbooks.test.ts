import { describe, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { harmlessRecords } from '../../src/platform/imports/spreadsheet/biff'
import { refusal, sheetOf } from '../support/sheet-reader'

describe('an .xls workbook', () => {
  const old = (...sheets: unknown[][][]) => {
    const made = XLSX.utils.book_new()
    for (const lines of sheets) XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet(lines))
    return new Uint8Array(XLSX.write(made, { type: 'array', bookType: 'biff8' }))
  }

  test('supports cells of every type, from its first filled sheet', async () => {
    const day = { t: 'n', v: 46_000, z: 'yyyy-mm-dd' }
    const line = ['x', 12.5, true, day, { t: 'n', v: 46_000, z: '0.00' }, { t: 'e', v: 0x17 }, null, '', 'z']
    const { header, rows, numbers } = await sheetOf(old([], [['']], [['a', '', 'b', 'c'], [], line], [['c']]), 'a.xls')
    expect([header.names, numbers]).toEqual([['a', '', 'b', 'c'], [3]])
    expect(rows).toEqual([['x', 12.5, true, { date: '2025-12-09' }, 46_000, { error: '#REF!' }, null, '', 'z']])
  })

  test('is read completely and reports its progress', async () => {
    const { rows, read, numbers } = await sheetOf(
      old([['a'], ...Array.from({ length: 11_999 }, (_, n) => [n])]),
      'a.xls',
    )
    expect([rows.length, rows.at(-1), numbers.at(-1)]).toEqual([11_999, [11_998], 12_000])
    expect(read).toEqual([5000 / 12_000, 10_000 / 12_000, 1])
  })

  test('is read from a container with large and small streams', async () => {
    for (const rows of [1, 3, 200, 5000]) {
      const { numbers } = await sheetOf(old([['a'], ...Array.from({ length: rows }, (_, n) => [`x${n}`])]), 'a.xls')
      expect(numbers.length).toBe(rows)
    }
    // Other streams and an embedded workbook are ignored.
    const container = XLSX.CFB.read(old([['a'], ['own']]), { type: 'array' as never })
    XLSX.CFB.utils.cfb_add(container, '/Embedded/Workbook', old([['a'], ['other']]))
    XLSX.CFB.utils.cfb_add(container, '/Properties', new Uint8Array(100_000))
    const whole = new Uint8Array(XLSX.CFB.write(container, { type: 'array' }) as unknown as ArrayBuffer)
    expect((await sheetOf(whole, 'a.xls')).rows).toEqual([['own']])
    // A container with a circle of sectors, or with a sector behind the end of the file, is refused.
    const table = 512 * (new DataView(whole.buffer, whole.byteOffset).getUint32(0x4c, true) + 1)
    for (const sector of [0, 0xffffff]) {
      const broken = new Uint8Array(whole)
      for (let at = 0; at < 128; at++) new DataView(broken.buffer).setUint32(table + 4 * at, sector, true)
      expect(await refusal(broken, 'a.xls')).toBe('The file could not be read as .xls')
    }
  })

  test('is read without records that claim more than they contain', () => {
    const record = (type: number, ...data: number[]) => [
      type & 255,
      type >> 8,
      data.length & 255,
      data.length >> 8,
      ...data,
    ]
    const columns = (first: number, last: number) =>
      record(0x7d, first & 255, first >> 8, last & 255, last >> 8, 0, 10, 0, 0, 0, 0, 0, 0)
    const skipped = (...data: number[]) => record(0x34, ...data)
    const merges = (count: number, ...data: number[]) => record(0xe5, count & 255, count >> 8, ...data)
    const cell = record(0x203, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    const cases: [number[], number[]][] = [
      [columns(3, 65_535), columns(3, 202)],
      [columns(300, 65_535), skipped(...columns(300, 65_535).slice(4))],
      [merges(65_535), skipped(255, 255)],
      [merges(1, 0, 0, 1, 0, 0, 0, 0, 0), merges(1, 0, 0, 1, 0, 0, 0, 0, 0)],
      // A record that is not needed is skipped together with its continuation.
      [
        [...record(0x5d, 1), ...record(0x3c, 2)],
        [...skipped(1), ...skipped(2)],
      ],
    ]
    for (const [before, after] of cases)
      expect([...harmlessRecords(Uint8Array.from([...before, ...cell]))]).toEqual([...after, ...cell])
    const sheets = Array.from({ length: 300 }, () => record(0x85, 0, 0, 0, 0, 0, 0, 1, 0, 65)).flat()
    const kept = harmlessRecords(Uint8Array.from(sheets))
    expect(Array.from({ length: 300 }, (_, at) => kept[13 * at]).filter((type) => type === 0x85).length).toBe(200)
    // A record that is cut off ends the workbook.
    expect(harmlessRecords(Uint8Array.from([...cell, 3, 2, 255, 255])).length).toBe(cell.length)
  })

  test('has no text of cells with a very long number format', async () => {
    const format = (text: string) => `"${text}"0`
    const cells = [
      { t: 'n', v: 5, z: format('about ') },
      { t: 'n', v: 6, z: format('x'.repeat(400)) },
    ]
    expect((await sheetOf(old([['a', 'b'], cells]), 'a.xls')).rows).toEqual([['about 5', 6]])
  })

  test('is rejected when empty, too wide or damaged', async () => {
    expect(await refusal(old([[]]), 'a.xls')).toBe('The workbook is empty')
    const wide = (count: number) => old([Array.from({ length: count }, () => 'x')])
    expect(await refusal(wide(202), 'a.xls')).toBe(0)
    expect(await refusal(wide(203), 'a.xls')).toBe('The file has more than 200 columns')
    expect(await refusal(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3), 'a.xls')).toBe(
      'The file could not be read as .xls',
    )
  })
})

describe('the records of an .xls workbook', () => {
  /** Returns records with `numbers` numbers each, at the start of a row or, if there is only one, in the column. */
  const rowsOf = (count: number, numbers: number, column = 0) => {
    const length = numbers === 1 ? 10 : 6 + 6 * numbers
    const bytes = new Uint8Array(count * (4 + length))
    const view = new DataView(bytes.buffer)
    for (let row = 0; row < count; row++) {
      const at = row * (4 + length)
      view.setUint16(at, numbers === 1 ? 0x027e : 0x00bd, true)
      view.setUint16(at + 2, length, true)
      view.setUint16(at + 4, row % 65_536, true)
      view.setUint16(at + 6, column, true)
    }
    return bytes
  }
  const outcome = (records: Uint8Array) => {
    try {
      return harmlessRecords(records).length
    } catch (error) {
      return (error as Error).message
    }
  }
  const message = 'The workbook has too many cells. Save it as .xlsx and upload that file.'

  test('are refused if they contain too many cells, or rows that are too long', () => {
    expect([outcome(rowsOf(7400, 200)), outcome(rowsOf(7600, 200))]).toEqual([7400 * 1210, message])
    expect([outcome(rowsOf(24_000, 1, 201)), outcome(rowsOf(25_000, 1, 201))]).toEqual([24_000 * 14, message])
  })

  test('beyond the limit of columns are skipped', () => {
    expect(new Uint16Array(harmlessRecords(rowsOf(1, 1, 255)).slice(0, 2).buffer)[0]).toBe(0x34)
    expect(outcome(rowsOf(400_000, 1, 255))).toBe(400_000 * 14)
  })
})
