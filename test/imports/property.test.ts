import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import * as XLSX from 'xlsx'
import { rows } from '../../db/client'
import { testContext } from '../support/context'

/** For any file, a commit writes what its preview shows, and an undo restores the state before. */

/** The seed of the files, which are the same in each run. `PROPERTY_RUNS` sets the number of files. */
const SEED = Number(process.env.PROPERTY_SEED ?? 7)
const RUNS = Number(process.env.PROPERTY_RUNS ?? 12)

type TestContext = Awaited<ReturnType<typeof testContext>>

/** Mostly valid values, so that most rows are valid although they have many fields. */
const mostly = (good: string[], bad: string[]) =>
  fc.oneof({ weight: 25, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) })

const unit = mostly(['100001', '100002', '000042', ' 100004 '], ['42', '', 'x12345'])
const place = mostly(['Phoenix', 'PHX', 'tempe'], ['Nowhere', ''])
const date = mostly(['2026-03-01', '3/1/2026', '2026-03-02'], ['2026-02-30', '13/1/2026', '', 'soon'])
const money = mostly(['', '350', '$1,250.50', '99.99'], ['-1', '12.345'])
const words = mostly(
  ['Transmission slips in third gear', 'Ünïcode "quoted", with commas', "O'Brien\\n said it leaks", '=1+1+1+1+1'],
  ['x'.repeat(6000)],
)

const IMPORT_KINDS = {
  transports: {
    table: 'transports',
    row: fc.record({
      unit_number: unit,
      location_out: place,
      location_in: place,
      move_date: date,
      transport_company: mostly(['Desert Auto Haul', 'desert auto haul', 'Copper State Transport'], ['Unknown']),
      status: mostly(['Delivered', 'in transit', 'Awaiting Pickup'], ['Lost']),
      ra_number: mostly(['', 'RA1', 'RA2'], ['RA123456789']),
      mileage: mostly(['', '1,234', '50'], ['-5', 'many']),
      move_type: mostly(['', 'ta', 'Sales'], ['Boat']),
      final_cost: money,
    }),
  },
  osl: {
    table: 'osl_entries',
    row: fc.record({
      unit_number: unit,
      osl_date: date,
      location: place,
      problem: words,
      key_location: words,
      storage_fee_daily_rate: money,
    }),
  },
  registrations: {
    table: 'registrations',
    row: fc.record({
      unit_number: unit,
      location: place,
      plate_number: mostly(['CDA4821', 'cda4821', 'ABC'], ['']),
      state_province: mostly(['AZ', 'az'], ['Arizona']),
      date_issued: date,
      date_expires: mostly(['2026-12-31', '12/31/2027'], ['2020-01-01']),
      registration_type: mostly(['', 'new'], ['Loan']),
      cost: money,
      notes: words,
    }),
  },
  titles: { table: 'titles', row: fc.record({ unit_number: unit, location: place, dealer_name: words, notes: words }) },
} as const

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
function csv(lines: Record<string, string>[]): string {
  const header = Object.keys(lines[0] ?? {})
  return [header.join(','), ...lines.map((line) => header.map((name) => quoted(line[name] ?? '')).join(','))].join('\n')
}

const STAMPS = `- '{version,updated_at,updated_by,created_at,created_by}'::text[]`
/** Returns all records without their stamps, for comparisons. */
async function everything(h: TestContext): Promise<unknown> {
  const tables = [
    'transports',
    'osl_entries',
    'registrations',
    'titles',
    'vehicles',
    'locations',
    'transport_companies',
  ]
  const all = tables
    .map((table) => `select '${table}' as kind, (to_jsonb(t) ${STAMPS})::text as record from ${table} t`)
    .join(' union all ')
  return rows(h.ctx.db, sql.raw(`${all} order by kind, record`))
}
const count = async (h: TestContext, table: string) =>
  (await rows<{ n: number }>(h.ctx.db, sql.raw(`select count(*)::int as n from ${table}`)))[0]?.n ?? 0

for (const [dataType, { table, row }] of Object.entries(IMPORT_KINDS)) {
  test(
    `${dataType}: preview, commit and undo agree`,
    async () => {
      const totals = { imported: 0, updated: 0, duplicates: 0, failed: 0 }
      const lines = fc.array(row as fc.Arbitrary<Record<string, string>>, { minLength: 1, maxLength: 25 })
      await fc.assert(
        fc.asyncProperty(lines, lines, fc.constantFrom('skip', 'update'), async (there, file, existing) => {
          const h = await testContext()
          const { ben } = h.cast
          await ben.upload(dataType, 'there.csv', csv(there))
          const before = await everything(h)
          const had = await count(h, table)

          const shown = await ben.begin(dataType, 'file.csv', csv(file), { existing })
          expect(shown.status).toBe('ready')
          for (const kind of ['imported', 'updated', 'duplicates', 'failed'] as const) totals[kind] += shown[kind]
          expect(shown.imported + shown.updated + shown.duplicates + shown.failed).toBe(file.length)
          expect(await everything(h)).toEqual(before)
          const listed = (await ben.get(`/files/${shown.id}/rows?per_page=500`)).body.data as { outcome: string }[]
          const of = (outcome: string) => listed.filter((one) => one.outcome === outcome).length
          expect([of('create'), of('update'), of('duplicate'), of('error')]).toEqual([
            shown.imported,
            shown.updated,
            shown.duplicates,
            shown.failed,
          ])

          await ben.post(`/files/${shown.id}/commit`)
          const done = await ben.settled(shown.id)
          expect(done).toMatchObject({
            status: 'done',
            imported: shown.imported,
            updated: shown.updated,
            duplicates: shown.duplicates,
            failed: shown.failed,
          })
          expect(await count(h, table)).toBe(had + shown.imported)
          expect(done.errors.length).toBe(done.failed)
          const workbook = await (
            await ben.request(`/api/files/${shown.id}/failed.xlsx`, {
              headers: { authorization: `Bearer ${await ben.token()}` },
            })
          ).bytes()
          const sheet = XLSX.utils.sheet_to_json(Object.values(XLSX.read(workbook).Sheets)[0] as XLSX.WorkSheet)
          expect(sheet.length).toBe(done.failed)

          expect((await ben.post(`/files/${shown.id}/undo`)).status).toBe(202)
          const undone = await ben.settled(shown.id)
          expect(undone).toMatchObject({
            status: 'undone',
            undo: { removed: shown.imported, restored: shown.updated, kept: [] },
          })
          expect(await everything(h)).toEqual(before)
          expect((await ben.post(`/files/${shown.id}/undo`)).status).toBe(409)
        }),
        { numRuns: RUNS, seed: SEED },
      )
      // The files must contain each outcome. Otherwise, the test proves nothing.
      expect(Object.values(totals).every((n) => n > 0)).toBe(true)
    },
    600_000 + RUNS * 2000,
  )
}
