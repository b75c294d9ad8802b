import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { DATA_TYPE_LABELS, DATA_TYPES } from '../../db/vocabulary'
import { flagColumn } from '../../src/imports/kind'
import { importKind, shownColumns } from '../../src/imports/kinds'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const FILES = {
  osl: 'unit_number,osl_date,location,problem,storage_fee_daily_rate,fuel_level\n100001,2026-03-01,Phoenix,Transmission slips,35.5,FULL\n100001,2026-03-01,Tempe,Repeated entry,,\n100002,2026-03-01,Phoenix,Short,,\n',
  registrations:
    'unit_number,location,plate_number,state_province,date_issued,date_expires\n100001,PHX,CDA4821,az,2026-01-01,2026-12-31\n100001,PHX,cda4821,AZ,1/1/2026,2026-12-31\n100002,PHX,X,AZ,2026-12-31,2026-01-01\n',
  titles: 'unit_number,location,dealer_name\n100001,Mesa,Valley\n100001,Mesa,Valley\nx,Mesa,\n',
}

for (const [dataType, csv] of Object.entries(FILES)) {
  test(`${dataType}: good rows come in, repeats are skipped, bad rows say why; again, all are duplicates`, async () => {
    const first = await h.cast.ben.upload(dataType, 'rows.csv', csv)
    expect(first.body).toMatchObject({ success: true, imported: 1, failed: 1, duplicates: 1, errors: [{ row: 4 }] })
    const again = await h.cast.ben.upload(dataType, 'rows.csv', csv)
    expect(again.body).toMatchObject({ imported: 0, failed: 1, duplicates: 2 })
    expect(
      await rows(
        h.ctx.db,
        sql`select entity, count(*)::int as n from audit_entries where actor = 'ben' group by 1 order by 1`,
      ),
    ).toEqual([
      { entity: dataType === 'osl' ? 'osl_entries' : dataType, n: 1 },
      { entity: 'uploads', n: 2 },
      // The vehicle is added, and by an OSL entry then out of service.
      { entity: 'vehicles', n: dataType === 'osl' ? 2 : 1 },
    ])
  })
}

test('an OSL row with a rate has fees; a title that was transferred may come again', async () => {
  await h.cast.ben.upload('osl', 'rows.csv', FILES.osl)
  expect((await h.cast.ben.get('/osl/1')).body.data).toMatchObject({
    storage_fees_applicable: true,
    storage_fees_total: 461.5,
    fuel_level: 'Full',
    status: 'Out of Service',
  })
  await h.cast.ben.upload('titles', 'rows.csv', FILES.titles)
  await h.cast.ben.patch('/titles/1/transfer')
  expect((await h.cast.ben.upload('titles', 'rows.csv', FILES.titles)).body).toMatchObject({ imported: 1 })
})

for (const dataType of DATA_TYPES) {
  test(`the sample of ${dataType} imports without an error, and its card lists its columns`, async () => {
    const response = await h.cast.ben.request(`/files/samples/${dataType}.xlsx`, {
      headers: await h.cast.ben.cookieHeaders(),
    })
    const { body } = await h.cast.ben.upload(dataType, 'sample.xlsx', new Uint8Array(await response.arrayBuffer()))
    expect(body).toMatchObject({ failed: 0, duplicates: 0, validation_errors: [] })
    expect(Number(body.imported)).toBeGreaterThan(1)
    const page = await h.cast.ben.open(`/files/upload?data_type=${dataType}`)
    expect(page.find('.guidelines h2')).toEqual([`${DATA_TYPE_LABELS[dataType]}: columns`])
  })
}

test('yes and no are read in every way that people write them', () => {
  const read = (cell: unknown) => flagColumn('issue_po').rule.safeParse(cell).data
  for (const yes of ['Yes', 'y', 'TRUE', '1', ' x ', true]) expect([yes, read(yes)]).toEqual([yes, true])
  for (const no of ['No', 'n', 'False', '0', false]) expect([no, read(no)]).toEqual([no, false])
  for (const blank of ['', null]) expect([blank, read(blank)]).toEqual([blank, null])
  expect(flagColumn('issue_po').rule.safeParse('perhaps').error?.issues[0]?.message).toBe('Must be Yes or No')
})

test('what a file must have and what it may have are told apart', () => {
  for (const dataType of DATA_TYPES) {
    const { required, optional } = shownColumns(dataType)
    const names = (list: typeof required) => list.map(({ name }) => name)
    const needed = importKind(dataType).columns.filter(({ isRequired }) => isRequired)
    expect(names(required)).toEqual(needed.map(({ name }) => name))
    expect(names(optional).filter((name) => names(required).includes(name))).toEqual([])
    expect(required.length + optional.length).toBe(importKind(dataType).columns.length)
  }
})
