import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import * as XLSX from 'xlsx'
import { rows } from '../../db/client'
import { DATA_TYPE_LABELS, DATA_TYPES } from '../../db/vocabulary'
import { flagColumn } from '../../src/platform/imports/columns'
import { importKind, shownColumns } from '../../src/platform/imports/kinds'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const FILES = {
  osl:
    'unit_number,osl_date,location,problem,storage_fee_daily_rate,fuel_level\n' +
    '100001,2026-03-01,Phoenix,Transmission slips,35.5,FULL\n100001,2026-03-01,Tempe,Repeated entry,,\n' +
    '100002,2026-03-01,Phoenix,Short,,\n',
  registrations:
    'unit_number,location,plate_number,state_province,date_issued,date_expires\n' +
    '100001,PHX,CDA4821,az,2026-01-01,2026-12-31\n100001,PHX,cda4821,AZ,1/1/2026,2026-12-31\n' +
    '100002,PHX,X,AZ,2026-12-31,2026-01-01\n',
  titles: 'unit_number,location,dealer_name\n100001,Mesa,Valley\n100001,Mesa,Valley\nx,Mesa,\n',
}

for (const [dataType, csv] of Object.entries(FILES)) {
  test(`${dataType}: imports skip duplicates and explain errors, and repeats add nothing`, async () => {
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
      // The import adds the vehicle. An OSL entry then also sets it out of service.
      { entity: 'vehicles', n: dataType === 'osl' ? 2 : 1 },
    ])
  })
}

test('a rate adds fees to an OSL row; transferred titles can be imported again', async () => {
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
  test(`the ${dataType} sample imports without errors, and its page lists its columns`, async () => {
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

test('yes/no cells accept all common spellings', () => {
  const read = (cell: unknown) => flagColumn('issue_po').rule.safeParse(cell).data
  for (const yes of ['Yes', 'y', 'TRUE', '1', ' x ', true]) expect([yes, read(yes)]).toEqual([yes, true])
  for (const no of ['No', 'n', 'False', '0', false]) expect([no, read(no)]).toEqual([no, false])
  for (const blank of ['', null]) expect([blank, read(blank)]).toEqual([blank, null])
  expect(flagColumn('issue_po').rule.safeParse('perhaps').error?.issues[0]?.message).toBe('Must be Yes or No')
})

test('required and optional columns are listed separately', () => {
  for (const dataType of DATA_TYPES) {
    const { required, optional } = shownColumns(dataType)
    const names = (list: typeof required) => list.map(({ name }) => name)
    const needed = importKind(dataType).columns.filter(({ isRequired }) => isRequired)
    expect(names(required)).toEqual(needed.map(({ name }) => name))
    expect(names(optional).filter((name) => names(required).includes(name))).toEqual([])
    expect(required.length + optional.length).toBe(importKind(dataType).columns.length)
  }
})

test('samples use existing locations and dates around today', async () => {
  const samples: Record<string, string[]> = {
    transports: [
      '100201,MES,PHX,2026-03-11,Copper State Transport,In Transit,RA10021,2026-03-15,45210,Fleet,350,,,,,,',
      '100202,PHX,MES,2026-03-05,Copper State Transport,Delivered,RA10022,2026-03-07,61877,Sales,420.5,431.25,,,,,',
      '100203,MES,PHX,2026-03-14,Copper State Transport,Awaiting Pickup,,,,OSL,,,,,,,',
    ],
    osl: [
      '100301,2026-03-02,MES,Transmission slips in third gear,,88210,Front office,602-555-0142,1/2,35,,,,,,,',
      '100302,2026-03-12,PHX,Windshield cracked on the driver side,,,,,Full,,,,,,,,',
    ],
    registrations: [
      '100401,MES,CDA4821,AZ,2025-05-18,2026-05-18,Renewal,108.5,212.4,,,',
      '100402,PHX,BKE1190,AZ,2026-03-14,2027-03-14,New,132,,,,',
    ],
    titles: [
      '100501,MES,Valley Truck Sales,Dana Ortiz,Waiting for the lien release,2026-03-08,,',
      '100502,PHX,Mesa RV Center,,,,,',
    ],
  }
  for (const dataType of DATA_TYPES) {
    const headers = await h.cast.ben.cookieHeaders()
    const answer = await h.cast.ben.request(`/files/samples/${dataType}.xlsx`, { headers })
    const sheet = XLSX.read(await answer.arrayBuffer()).Sheets[dataType] as XLSX.WorkSheet
    const names = importKind(dataType).columns.map(({ name }) => name)
    expect(XLSX.utils.sheet_to_csv(sheet).trim().split('\n')).toEqual([names.join(','), ...(samples[dataType] ?? [])])
  }
})

test('updates by import can start storage fees but not end them', async () => {
  const file = (rates: string[]) =>
    `unit_number,osl_date,location,problem,storage_fee_daily_rate\n${rates
      .map((rate, at) => `10000${at},2026-03-01,Phoenix,Transmission slips again,${rate}`)
      .join('\n')}\n`
  await h.cast.ben.upload('osl', 'rows.csv', file(['', '', '20']))
  await h.cast.ben.upload('osl', 'rows.csv', file(['', '10', '']).replaceAll('again', 'a lot'), { existing: 'update' })
  const entries = (await h.cast.ben.get('/osl?sort=unit_number&order=asc')).body.data as unknown as Record<
    string,
    unknown
  >[]
  expect(entries.map((entry) => [entry.problem, entry.storage_fees_applicable, entry.storage_fee_daily_rate])).toEqual([
    ['Transmission slips a lot', false, null],
    ['Transmission slips a lot', true, 10],
    ['Transmission slips a lot', true, 20],
  ])
})

test('importing a received registration updates its status by the new expiry date', async () => {
  const file = (...days: string[]) =>
    `unit_number,location,plate_number,state_province,date_issued,date_expires\n${days
      .map((day, at) => `10000${at},PHX,P${at},AZ,2025-03-01,${day}`)
      .join('\n')}\n`
  await h.cast.ben.upload('registrations', 'rows.csv', file('2026-06-01', '2026-06-01', '2026-06-01'))
  for (const id of [1, 2]) await h.cast.ben.patch(`/registrations/${id}/toggle-received`)
  const again = file('2026-03-14', '2026-03-13', '2026-03-13')
  await h.cast.ben.upload('registrations', 'rows.csv', again, { existing: 'update' })
  const found = (await h.cast.ben.get('/registrations?sort=unit_number&order=asc')).body.data as unknown as {
    status: string
  }[]
  expect(found.map(({ status }) => status)).toEqual(['Complete', 'Expired', 'Pending'])
})

test('a preview rejects an early arrival and notes defaults and distant dates', async () => {
  const row = (unit: number, day: string, status: string, arrival = '') =>
    `10000${unit},Phoenix,Tempe,${day},Desert Auto Haul,${status},${arrival}`
  const { id } = await h.cast.ben.begin(
    'transports',
    'moves.csv',
    [
      'unit_number,location_out,location_in,move_date,transport_company,status,actual_arrival_date',
      row(1, '2026-03-14', 'Delivered', '2026-03-13'),
      row(2, '2026-03-15', 'Delivered', '2026-03-13'),
      row(3, '2026-03-14', 'Delivered'),
      row(4, '2026-03-14', 'In Transit'),
      row(5, '2027-03-15', 'In Transit'),
    ].join('\n'),
  )
  const shown = (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as {
    message: string | null
    notes: string[]
  }[]
  const added = 'Unit number: not in the vehicle list; the import adds the vehicle'
  expect(shown.map(({ message, notes }) => [message, notes])).toEqual([
    ['Actual arrival date: The arrival date is before the move date', []],
    [null, ['Move date: 03/15/2026 is after today, but the status is Delivered', added]],
    [
      null,
      [
        expect.stringMatching(/^Actual arrival: blank; a stored date stays. Otherwise, the import uses the move date/),
        added,
      ],
    ],
    [null, [added]],
    [
      null,
      [
        'Move date: 03/15/2027 is after today, but the status is In Transit',
        'Move date: 03/15/2027 is more than a year ahead',
        added,
      ],
    ],
  ])
})

test('a title keeps its submission date, and gets today if the cell is blank', async () => {
  const { ben } = h.cast
  const file = 'Unit,Location,Date Sent\n100501,PHX,2/20/2026\n100502,PHX,\n'
  expect((await ben.upload('titles', 'titles.csv', file)).body).toMatchObject({ imported: 2, failed: 0 })
  const titles = (await ben.get('/titles/pending?sort=unit_number&order=asc')).body.data as unknown as {
    submitted_date: string
  }[]
  expect(titles.map(({ submitted_date }) => submitted_date)).toEqual(['2026-02-20', h.ctx.clock.today()])
  // In an update, a blank cell keeps the date.
  const change = 'Unit,Location,Date Sent,Dealer\n100501,PHX,,Mesa RV\n100502,PHX,3/1/2026,\n'
  expect((await ben.upload('titles', 'titles.csv', change, { existing: 'update' })).body).toMatchObject({ failed: 0 })
  const changed = (await ben.get('/titles/pending?sort=unit_number&order=asc')).body.data as unknown as {
    submitted_date: string
  }[]
  expect(changed.map(({ submitted_date }) => submitted_date)).toEqual(['2026-02-20', '2026-03-01'])
})

test(
  'an expiry such as Nov-27 is the end of a month in this year or the next ten, and ' + 'otherwise an error',
  async () => {
    const head = 'unit_number,location,plate_number,state_province,date_issued,date_expires\n'
    const rows = ['Nov-27', "Feb '28", 'Mar-26', 'Mar-36', 'Nov 27', '11/27', 'Nov-25', 'Nov-37', "Nov '05"].map(
      (text, at) => `10040${at},PHX,AB${at},AZ,1/5/2026,${text}\n`,
    )
    const { body } = await h.cast.ben.upload('registrations', 'plates.csv', head + rows.join(''))
    const unclear = 'could be a day without a year or a month of a year; write the full date'
    expect(body).toMatchObject({
      imported: 6,
      errors: [
        { row: 8, message: `Date expires: Nov-25 ${unclear}` },
        { row: 9, message: `Date expires: Nov-37 ${unclear}` },
        { row: 10, message: `Date expires: Nov '05 ${unclear}` },
      ],
      validation_errors: expect.arrayContaining([
        'Row 2: date expires Nov-27 was read as 11/30/2027',
        "Row 3: date expires Feb '28 was read as 02/29/2028",
        'Row 4: date expires Mar-26 was read as 03/31/2026',
        'Row 5: date expires Mar-36 was read as 03/31/2036',
      ]),
    })
  },
)

test('a plate that Excel has damaged is refused, also in a CSV file', async () => {
  const head = 'unit_number,location,plate_number,state_province,date_issued,date_expires\n'
  const plates = ['#REF!', '12-May', 'May-12', '1.23E+05', 'MAY12', 'ABC-123']
  const rows = plates.map((plate, at) => `10040${at},PHX,${plate},AZ,1/5/2026,1/5/2027\n`)
  const { body } = await h.cast.ben.upload('registrations', 'plates.csv', head + rows.join(''))
  const dash = 'looks like a date that Excel made from another value. If the value is correct, type it without the dash'
  expect(body).toMatchObject({
    imported: 2,
    errors: [
      { row: 2, message: 'Plate number: the cell shows #REF!; correct it in the spreadsheet' },
      { row: 3, message: `Plate number: 12-May ${dash}` },
      { row: 4, message: `Plate number: May-12 ${dash}` },
      {
        row: 5,
        message: expect.stringContaining('The file contains only a rounded form of this number'),
      },
    ],
  })
})

test('rates per day, fuel signs, thousands and shortened states are read', async () => {
  const osl =
    'Unit,Checked In,Location,Reason,Rate/Day,Gas,Meter\n100300,2026-03-05,PHX,Does not start at ' +
    'all,$35.00/day,¼,60k\n100301,2026-03-05,PHX,Does not start at all,35 per day,E,61k\n'
  const { body } = await h.cast.ben.upload('osl', 'yard.csv', osl)
  expect(body).toMatchObject({ imported: 2, failed: 0 })
  const entries = (await h.cast.ben.get('/osl/active?sort=unit_number&order=asc')).body.data as unknown as object[]
  expect(entries).toMatchObject([
    { storage_fee_daily_rate: 35, fuel_level: '1/4', osl_mileage: 60_000 },
    { storage_fee_daily_rate: 35, fuel_level: 'Empty', osl_mileage: 61_000 },
  ])
  expect((body as unknown as { validation_errors: string[] }).validation_errors.join('; ')).toContain(
    '60k was read as 60000',
  )
  const head = 'unit_number,location,plate_number,state_province,date_issued,date_expires\n'
  const plates = ['Calif.', 'Ariz', 'Nev', 'Mis'].map(
    (state, at) => `10040${at},PHX,AB${at},${state},1/5/2026,${at === 1 ? 'Nov 2027' : '1/5/2027'}\n`,
  )
  const result = (await h.cast.ben.upload('registrations', 'plates.csv', head + plates.join(''))).body as unknown as {
    errors: { row: number; message: string }[]
    validation_errors: string[]
  }
  expect(result.errors).toEqual([{ row: 5, message: 'State or province: Must be 2 letters, for example AZ' }])
  expect(result.validation_errors).toContain('Row 3: date expires Nov 2027 was read as 11/30/2027')
})

test('amounts with a decimal comma, pending amounts and a month of expiry are read', async () => {
  const head = 'Unit,From,To,Date,Vendor,Stat,Cost (est),Actual $,ETA\n'
  const rows =
    '100500,PHX,TMP,3/5/2026,Desert Auto Haul,Delivered,"1.250,50","350,00",(none)\n' +
    '100501,PHX,TMP,3/5/2026,Desert Auto Haul,In Transit,1250,pending,Pending\n'
  const { body } = await h.cast.ben.upload('transports', 'amounts.csv', head + rows)
  expect(body).toMatchObject({ imported: 2, failed: 0 })
  expect(body.validation_errors).toContain('Row 2: Cost (est) 1.250,50 was read as 1250.50')
  const { data } = (await h.cast.ben.get('/transports?q=10050&sort=unit_number&order=asc')).body
  expect(data).toMatchObject([
    { estimated_cost: 1250.5, final_cost: 350, estimated_arrival_date: null },
    { estimated_cost: 1250, final_cost: null, estimated_arrival_date: null },
  ])
})

test('a move needs a day: a month and a year are refused', async () => {
  const { body } = await h.cast.ben.upload(
    'transports',
    'month.csv',
    'unit_number,location_out,location_in,move_date,transport_company,status\n100502,PHX,TMP,Nov ' +
      '2026,Desert Auto Haul,Delivered\n',
  )
  expect(body.errors).toMatchObject([{ row: 2, message: expect.stringContaining('Must be a date with a day') }])
})

/** Columns of each import in their stored order. Add a new column at the end of its list. */
const COLUMN_ORDER: Record<string, string[]> = {
  transports: [
    'unit_number',
    'location_out',
    'location_in',
    'move_date',
    'transport_company',
    'status',
    'ra_number',
    'estimated_arrival_date',
    'mileage',
    'move_type',
    'estimated_cost',
    'final_cost',
    'actual_arrival_date',
    'issue_po',
    'po_number',
    'notes',
    'external_id',
  ],
  osl: [
    'unit_number',
    'osl_date',
    'location',
    'problem',
    'ra_number',
    'osl_mileage',
    'key_location',
    'contact_phone',
    'fuel_level',
    'storage_fee_daily_rate',
    'notes',
    'external_id',
    'status',
    'po_number',
    'storage_grace_days',
    'expected_return',
    'next_action',
  ],
  registrations: [
    'unit_number',
    'location',
    'plate_number',
    'state_province',
    'date_issued',
    'date_expires',
    'registration_type',
    'cost',
    'vlt',
    'notes',
    'external_id',
    'received',
  ],
  titles: [
    'unit_number',
    'location',
    'dealer_name',
    'dealer_contact',
    'notes',
    'submitted_date',
    'external_id',
    'received_on',
  ],
}

test('columns keep their positions, because open previews store their cells by position', () => {
  for (const dataType of DATA_TYPES) {
    const names = importKind(dataType).columns.map(({ name }) => name)
    expect([dataType, names]).toEqual([dataType, COLUMN_ORDER[dataType] as string[]])
  }
})
