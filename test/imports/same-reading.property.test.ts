import { beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import Papa from 'papaparse'
import * as XLSX from 'xlsx'
import type { DataType } from '../../db/vocabulary'
import { fieldsOf } from '../../src/platform/imports/kinds'
import { testContext } from '../support/context'
import { seeded } from '../support/property'

/**
 * A cell is read the same from any kind of input.
 * These are text files, workbooks, tables, pasted rows and corrected rows.
 */

let h: Awaited<ReturnType<typeof testContext>>
beforeAll(async () => {
  h = await testContext()
})

/** Cells as people write them, by field. */
const CELLS: Record<string, string[]> = {
  unit_number: ['102370', '102 370', '#102370', 'Unit 102370', '102370.0', '10202', '1234567', 'x', '', '１０２３７０'],
  location: ['Phoenix', 'phoenix', 'Pheonix', 'Nowhere', 'Phoenix\u200B', 'PHX ', ''],
  location_out: ['Phoenix', 'tempe', 'Tmepe', ''],
  location_in: ['Tempe', 'MESA', 'Mesa Yard', ''],
  move_date: ['2026-03-01', '3/1/2026', '3/1', 'Mar 1', '1 Mar 26', '13/45', 't', '+3', '20260301', 'N/A', ''],
  osl_date: ['3/1', 'March 1st, 2026', '3.1.2026', 'soon', '3/1/98'],
  date_issued: ['1/5/26', '1/5', '1/5/98', 'x'],
  date_expires: ['1/5/27', '1/5', 'Jan 5 2027', 'N/A'],
  transport_company: ['Desert Auto Haul', 'desert auto haul', 'Desert Auto Hual', ''],
  status: ['In Transit', 'in_transit', 'IN-TRANSIT', 'Lost', ''],
  mileage: ['45210', '45,210 mi', '45210.7', 'N/A', '-', '-5', 'many', '1e3'],
  osl_mileage: ['88210', '88,210', 'TBD'],
  estimated_cost: ['$1,250.50', '(12.00)', ' $ - ', '1358.043', 'abc', '0'],
  cost: ['108.5', 'USD 5', '#N/A'],
  plate_number: ['CDA4821', 'ABC 123', '1E+21', ''],
  state_province: ['AZ', 'Arizona', 'A.Z.', 'Nowhere'],
  problem: ['Does not start at all', 'short', '-starts badly, loudly'],
  fuel_level: ['1/2', 'full', 'N/A', 'Brim'],
  issue_po: ['yes', 'N', 'x', 'maybe'],
  notes: ['plain', "O'Brien said", '+1 602 555', '=1+1', 'two\twords', ''],
  dealer_name: ['Valley', 'Café', '-'],
}

type Row = Record<string, string>
type Read = { outcome: string; values: Record<string, string | null>; notes: string[]; message: string | null }

const TYPES: DataType[] = ['transports', 'osl', 'registrations', 'titles']

async function rowsOf(id: number): Promise<Read[]> {
  await h.cast.ben.settled(id)
  const { body } = await h.cast.ben.get(`/files/${id}/rows?per_page=500`)
  await h.cast.ben.post(`/files/${id}/cancel`)
  // A table sends the cells of a failed row without surrounding blanks.
  const tidy = (values: Read['values']) =>
    Object.fromEntries(Object.entries(values).map(([field, value]) => [field, value?.trim() || null]))
  return (body.data as (Read & { row: number })[]).map(({ row: _, values, ...read }) => ({
    ...read,
    values: tidy(values),
  }))
}
const idIn = (location: string | null) => Number(/imports\/(\d+)/.exec(String(location))?.[1])

const cellsOf = (fields: string[], rows: Row[]) => [
  fields,
  ...rows.map((row) => fields.map((field) => row[field] ?? '')),
]

async function fromCsv(type: DataType, fields: string[], rows: Row[]) {
  const { id } = await h.cast.ben.begin(type, 'a.csv', Papa.unparse(cellsOf(fields, rows)))
  return rowsOf(id)
}
async function fromWorkbook(type: DataType, fields: string[], rows: Row[]) {
  const made = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet(cellsOf(fields, rows)))
  const bytes = new Uint8Array(XLSX.write(made, { type: 'array', bookType: 'xlsx' }))
  return rowsOf((await h.cast.ben.begin(type, 'a.xlsx', bytes)).id)
}
async function fromTable(type: DataType, fields: string[], rows: Row[], more: Record<string, string> = {}) {
  const form: Record<string, string> = { data_type: type, ...more }
  for (const [at, row] of rows.entries()) for (const field of fields) form[`cell.${at + 2}.${field}`] = row[field] ?? ''
  return rowsOf(idIn((await h.cast.ben.submit('/files/grid', form)).location))
}
async function fromPaste(type: DataType, fields: string[], rows: Row[]) {
  const text = Papa.unparse(cellsOf(fields, rows), { delimiter: '\t' })
  return rowsOf(idIn((await h.cast.ben.submit('/files/paste', { data_type: type, rows: text })).location))
}
async function fromMending(type: DataType, fields: string[], rows: Row[]) {
  const failing = rows.map((row) => ({ ...row, unit_number: 'none' }))
  const { body } = await h.cast.ben.upload(type, 'a.csv', Papa.unparse(cellsOf(fields, failing)))
  return fromTable(type, fields, rows, { mends: String((body.data as { id: number }).id) })
}

test('a cell is read the same from files, tables and pasted rows', async () => {
  const rowOf = (type: DataType) =>
    fc.record(Object.fromEntries(fieldsOf(type).map((field) => [field, fc.constantFrom(...(CELLS[field] ?? ['']))])))
  for (const type of TYPES)
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf(type), { minLength: 30, maxLength: 30 }), async (rows) => {
        const fields = fieldsOf(type)
        // A row without cells is ignored as a blank line in some formats, so it is left out here.
        const filled = rows.filter((row) => row.unit_number !== '') as Row[]
        if (filled.length === 0) return
        const file = await fromCsv(type, fields, filled)
        expect(file.length).toBe(filled.length)
        expect(await fromWorkbook(type, fields, filled)).toEqual(file)
        expect(await fromTable(type, fields, filled)).toEqual(file)
        expect(await fromPaste(type, fields, filled)).toEqual(file)
        expect(await fromMending(type, fields, filled)).toEqual(file)
      }),
      seeded(2),
    )
})
