import { MOVE_TYPES, OSL_STATUSES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import type { Choices, Driver } from './driver'
import { addDays, Fleet, type FleetRecord, type OslEntry, type Registration, type Title, type Transport } from './model'

/** Steps of the simulation. Each step sends calls to the program and applies the same change to the model. */
export type Step = (driver: Driver, choices: Choices) => Promise<unknown>

const UNITS = Array.from({ length: 15 }, (_, at) => String(100_700 + at))
const unitOf = (choices: Choices) => choices.of(UNITS) as string
const dayNear = ({ fleet }: Driver, choices: Choices, before: number, after: number) =>
  addDays(fleet.today, choices.number(before + after + 1) - before)
const centsOf = (choices: Choices) => choices.number(100_000)
const path = ({ kind, id }: Pick<FleetRecord, 'kind' | 'id'>) => `/${kind}/${id}`

/** Statuses that also clear or set the arrival date of a transport. */
function withStatus(one: Transport, status: string, arrival: string | null, today: string): Transport {
  const actual_arrival_date = status === 'Delivered' ? (arrival ?? one.actual_arrival_date ?? today) : null
  return { ...one, status, actual_arrival_date }
}

function newTransport(driver: Driver, choices: Choices) {
  const { h, places } = driver
  const move_date = dayNear(driver, choices, 20, 5)
  return {
    unit_number: unitOf(choices),
    location_out_id: choices.of(places) as number,
    location_in_id: choices.of(places) as number,
    transport_company_id: (choices.isTrue(50) ? h.cast.desert : h.cast.copper) as number,
    move_date,
    estimated_arrival_date: choices.isTrue(60) ? addDays(move_date, choices.number(6)) : null,
    move_type: choices.of(MOVE_TYPES) as string,
    status: choices.of(TRANSPORT_STATUSES.filter((status) => status !== 'Delivered')) as string,
    issue_po: choices.isTrue(20),
  }
}

const storedTransport = (values: ReturnType<typeof newTransport>, id: number): Transport => ({
  ...values,
  kind: 'transports',
  id,
  actual_arrival_date: null,
  final_cost: null,
  po_number: null,
})

async function createTransport(driver: Driver, choices: Choices) {
  const values = newTransport(driver, choices)
  const { data } = await driver.call('POST', '/transports', values, 201)
  driver.changed(storedTransport(values, data.id as number))
}

/** Sends one creation twice with the same key, as a client does that has lost the answer. */
async function retryTransport(driver: Driver, choices: Choices) {
  const values = newTransport(driver, choices)
  const headers = { 'idempotency-key': `simulation-${driver.log.length}` }
  const first = await driver.call('POST', '/transports', values, 201, headers)
  const again = await driver.call('POST', '/transports', values, 201, headers)
  if (again.data.id !== first.data.id) throw new Error('A retried call created a second record')
  driver.changed(storedTransport(values, first.data.id as number))
}

async function changeTransportStatus(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.transports)
  if (!one) return
  const status = choices.isTrue(50) ? 'Delivered' : (choices.of(TRANSPORT_STATUSES) as string)
  const canDate = status === 'Delivered' && one.move_date <= driver.fleet.today && choices.isTrue(50)
  const arrival = canDate ? one.move_date : null
  await driver.call('PATCH', `${path(one)}/status`, { status, ...(arrival ? { actual_arrival_date: arrival } : {}) })
  driver.changed(withStatus(one, status, arrival, driver.fleet.today))
}

async function editTransport(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.transports)
  if (!one) return
  const final_cost = choices.isTrue(80) ? centsOf(choices) : null
  const po_number = choices.isTrue(30) ? `PO-${choices.number(1000)}` : one.po_number
  const unit_number = choices.isTrue(10) ? unitOf(choices) : one.unit_number
  const change = { final_cost: final_cost === null ? null : final_cost / 100, po_number, unit_number }
  await driver.call('PUT', path(one), change)
  driver.changed({ ...one, final_cost, po_number, unit_number })
}

async function bulkDeliver(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const chosen = fleet.transports.filter(() => choices.isTrue(25)).slice(0, 20)
  if (chosen.length === 0) return
  const status = choices.of(TRANSPORT_STATUSES) as string
  const { data } = await driver.call('POST', '/transports/bulk', { ids: chosen.map(({ id }) => id), set: { status } })
  for (const one of chosen) if (one.status !== status) driver.changed(withStatus(one, status, null, fleet.today))
  driver.lastBulk = { id: data.id as number, before: chosen, changes: new Map(driver.changes) }
}

async function undoBulk(driver: Driver) {
  const { fleet, lastBulk } = driver
  if (!lastBulk) return
  driver.lastBulk = null
  await driver.call('POST', `/bulk/${lastBulk.id}/undo`)
  for (const one of lastBulk.before) {
    const current = fleet.records.get(Fleet.key(one))
    const isSame = JSON.stringify(current) === JSON.stringify(one)
    if (!isSame && !fleet.deleted.has(Fleet.key(one)) && driver.isUnchangedSince(one, lastBulk.changes))
      driver.changed(one)
  }
}

async function createOsl(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const vendor = choices.isTrue(60) ? choices.of(fleet.vendors) : undefined
  const rate = choices.isTrue(40) ? centsOf(choices) : null
  const values = {
    unit_number: unitOf(choices),
    location_id: choices.of(driver.places) as number,
    vendor_id: vendor?.id ?? null,
    osl_date: dayNear(driver, choices, 20, 0),
    problem: 'Transmission slips in third gear',
    ...(rate === null ? {} : { storage_fee_daily_rate: rate / 100 }),
  }
  const { data } = await driver.call('POST', '/osl', values, 201)
  driver.changed<OslEntry>({
    kind: 'osl',
    id: data.id as number,
    unit_number: values.unit_number,
    location_id: values.location_id,
    vendor_id: values.vendor_id,
    osl_date: values.osl_date,
    status: 'Out of Service',
    completed_on: null,
    has_fees: rate !== null || vendor !== undefined,
    rate: rate ?? vendor?.rate ?? 0,
    rates: [],
    grace: vendor?.grace ?? 0,
    waived: 0,
    touched_on: fleet.today,
  })
}

async function changeOslStatus(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const one = choices.of(fleet.osl)
  if (!one) return
  const status = choices.isTrue(50) ? 'Completed' : (choices.of(OSL_STATUSES) as string)
  const days = Array.from({ length: 20 }, (_, at) => addDays(fleet.today, -at)).filter((day) => day >= one.osl_date)
  const day = status === 'Completed' && choices.isTrue(60) ? (choices.of(days) ?? null) : null
  await driver.call('PATCH', `${path(one)}/status`, { status, ...(day ? { completed_on: day } : {}) })
  const completed_on = status === 'Completed' ? (day ?? one.completed_on ?? fleet.today) : null
  const isSame = status === one.status && completed_on === one.completed_on
  driver.changed({ ...one, status, completed_on, touched_on: isSame ? one.touched_on : fleet.today })
}

async function changeRate(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.osl)
  if (!one) return
  const from = addDays(one.osl_date, choices.number(15))
  if (one.rates.some((rate) => rate.from === from)) return
  const rate = centsOf(choices)
  await driver.call('POST', `${path(one)}/rates`, { from, daily_rate: rate / 100 }, 201)
  const touched_on = one.has_fees ? one.touched_on : driver.fleet.today
  driver.changed({
    ...one,
    has_fees: true,
    rate: one.has_fees ? one.rate : 0,
    rates: [...one.rates, { from, rate }],
    touched_on,
  })
}

async function waive(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.osl.filter(({ has_fees }) => has_fees))
  if (!one) return
  const waived = 1 + centsOf(choices)
  const body = { storage_fee_waived: waived / 100, storage_fee_waived_reason: 'Goodwill' }
  await driver.call('PUT', path(one), body)
  driver.changed({ ...one, waived, touched_on: waived === one.waived ? one.touched_on : driver.fleet.today })
}

async function editOsl(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.osl)
  if (!one) return
  const osl_date = addDays(one.osl_date, -choices.number(3))
  const rate = centsOf(choices)
  await driver.call('PUT', path(one), { osl_date, storage_fee_daily_rate: rate / 100 })
  const isSame = osl_date === one.osl_date && one.has_fees && rate === one.rate
  const touched_on = isSame ? one.touched_on : driver.fleet.today
  driver.changed({ ...one, osl_date, has_fees: true, rate, touched_on })
}

async function stopFees(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.osl.filter(({ has_fees }) => has_fees))
  if (!one) return
  await driver.call('PUT', path(one), { storage_fees_applicable: false })
  driver.changed({ ...one, has_fees: false, rate: 0, rates: [], touched_on: driver.fleet.today })
}

async function noteOsl(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.osl)
  if (!one) return
  await driver.call('POST', `${path(one)}/notes`, { note_text: 'Called the shop' }, 201)
  driver.fleet.put({ ...one, touched_on: driver.fleet.today })
}

async function createRegistration(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const date_issued = dayNear(driver, choices, 300, 0)
  const [cost, vlt] = [choices.isTrue(70) ? centsOf(choices) : null, choices.isTrue(50) ? centsOf(choices) : null]
  const received = choices.isTrue(40)
  const values = {
    unit_number: unitOf(choices),
    location_id: choices.of(driver.places) as number,
    date_issued,
    date_expires: addDays(date_issued, 30 + choices.number(400)),
  }
  const { data } = await driver.call(
    'POST',
    '/registrations',
    {
      ...values,
      plate_number: `SIM${choices.number(10_000)}`,
      state_province: 'AZ',
      received,
      cost: cost === null ? null : cost / 100,
      vlt: vlt === null ? null : vlt / 100,
    },
    201,
  )
  driver.changed(
    withReceived(
      { ...values, kind: 'registrations', id: data.id as number, status: '', received, cost, vlt },
      received,
      fleet.today,
    ),
  )
}

const withReceived = (one: Registration, received: boolean, today: string): Registration => ({
  ...one,
  received,
  status: !received ? 'Pending' : one.date_expires < today ? 'Expired' : 'Complete',
})

async function receive(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.registrations)
  if (!one) return
  const received = choices.isTrue(70) ? !one.received : one.received
  await driver.call('PATCH', `${path(one)}/toggle-received`, { received })
  driver.changed(withReceived(one, received, driver.fleet.today))
}

async function renew(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.registrations)
  if (!one) return
  const cost = centsOf(choices)
  const date_expires = addDays(driver.fleet.today, 200 + choices.number(300))
  const { data } = await driver.call('POST', `${path(one)}/renew`, { cost: cost / 100, date_expires }, 201)
  driver.changed<Registration>({
    ...one,
    id: data.id as number,
    date_issued: driver.fleet.today,
    date_expires,
    received: false,
    status: 'Pending',
    cost,
    vlt: null,
  })
}

async function editRegistration(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.registrations)
  if (!one) return
  const date_expires = addDays(one.date_issued, 30 + choices.number(400))
  await driver.call('PUT', path(one), { date_expires })
  driver.changed(withReceived({ ...one, date_expires }, one.received, driver.fleet.today))
}

async function bulkReceive(driver: Driver, choices: Choices) {
  const chosen = driver.fleet.registrations.filter(() => choices.isTrue(30)).slice(0, 20)
  if (chosen.length === 0) return
  const received = choices.isTrue(60)
  const ids = chosen.map(({ id }) => id)
  const { data } = await driver.call('POST', '/registrations/bulk', { ids, set: { received } })
  for (const one of chosen)
    if (one.received !== received) driver.changed(withReceived(one, received, driver.fleet.today))
  driver.lastBulk = { id: data.id as number, before: chosen, changes: new Map(driver.changes) }
}

async function createTitle(driver: Driver, choices: Choices) {
  const values = {
    unit_number: unitOf(choices),
    location_id: choices.of(driver.places) as number,
    submitted_date: dayNear(driver, choices, 50, 2),
  }
  const { data } = await driver.call('POST', '/titles', values, 201)
  driver.changed<Title>({
    ...values,
    kind: 'titles',
    id: data.id as number,
    transferred_date: null,
    next_chase_on: null,
  })
}

async function transferTitle(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.titles)
  if (!one) return
  if (one.transferred_date && choices.isTrue(50)) {
    await driver.call('PATCH', `${path(one)}/reopen`)
    driver.changed({ ...one, transferred_date: null })
    return
  }
  await driver.call('PATCH', `${path(one)}/transfer`)
  const day = [driver.fleet.today, one.submitted_date].sort()[1] as string
  driver.changed({ ...one, transferred_date: one.transferred_date ?? day })
}

async function chaseTitle(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.titles.filter(({ transferred_date }) => !transferred_date))
  if (!one) return
  const next_on = choices.isTrue(60) ? dayNear(driver, choices, 0, 10) : null
  await driver.call('POST', `${path(one)}/chase`, { note_text: 'Left a message', next_on })
  driver.changed({ ...one, next_chase_on: next_on })
}

async function remove(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.live)
  if (!one) return
  await driver.call('DELETE', path(one))
  driver.removed(one)
}

async function restore(driver: Driver, choices: Choices) {
  const key = choices.of([...driver.fleet.deleted])
  const one = key && driver.fleet.records.get(key)
  if (!one) return
  await driver.call('POST', `${path(one)}/restore`)
  driver.restored(one)
}

/** Calls that must be refused and change nothing. */
async function refused(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.live)
  if (!one) return
  const { data } = await driver.call('GET', path(one))
  const version = Number(data.version)
  if (version > 1) await driver.call('PUT', path(one), { unit_number: '100999', version: version - 1 }, 409)
  await driver.call('PUT', path(one), { unit_number: '10099', version }, 422)
  await driver.call('PUT', path(one), { location_id: 999_999, location_in_id: 999_999, version }, 422)
}

async function importTransports(driver: Driver, choices: Choices) {
  const { fleet, places, h } = driver
  const names = ['Phoenix', 'Tempe', 'Mesa']
  const rows = Array.from({ length: 1 + choices.number(4) }, () => ({
    ...newTransport(driver, choices),
    transport_company_id: h.cast.desert,
    move_type: 'Fleet',
    estimated_arrival_date: null,
    issue_po: false,
  }))
  const head = 'unit_number,location_out,location_in,move_date,transport_company,status'
  const place = (id: number) => names[places.indexOf(id)]
  const lines = rows.map((row) =>
    [
      row.unit_number,
      place(row.location_out_id),
      place(row.location_in_id),
      row.move_date,
      'Desert Auto Haul',
      row.status,
    ].join(','),
  )
  const text = [head, ...lines].join('\n')
  driver.log.push(`${fleet.today} import of transports: ${text.replaceAll('\n', ' / ')}`)
  const { status, body } = await h.cast.ada.upload('transports', 'moves.csv', text)
  if (status !== 200) throw new Error(`An import answered ${status}: ${JSON.stringify(body)}`)
  const keyOf = (one: Omit<Transport, 'kind' | 'id' | 'actual_arrival_date' | 'final_cost' | 'po_number'>) =>
    [one.unit_number, one.move_date, one.location_out_id, one.location_in_id].join(' ')
  const known = new Set(fleet.transports.map(keyOf))
  const created = rows.filter((row) => !known.has(keyOf(row)) && known.add(keyOf(row)))
  const { data } = (await h.cast.ada.get('/transports?sort=created_at&order=desc&per_page=100')).body
  const stored = data as unknown as Transport[]
  const records = created.map((row) => {
    const match = stored.find(
      (one) => keyOf(one) === keyOf(row) && !fleet.records.has(Fleet.key({ kind: 'transports', id: one.id })),
    )
    if (!match) throw new Error(`A row was not imported: ${JSON.stringify(row)}`)
    return driver.changed(storedTransport(row, match.id))
  })
  const imported = (body as unknown as { imported: number }).imported
  if (imported !== created.length) throw new Error(`${imported} rows were imported instead of ${created.length}`)
  const { id } = body.data as { id: number }
  if (imported > 0) driver.lastImport = { id, created: records, changes: new Map(driver.changes) }
}

/** Imports titles. A unit with a pending title is a duplicate, in the file too. */
async function importTitles(driver: Driver, choices: Choices) {
  const { fleet, h } = driver
  const rows = Array.from({ length: 1 + choices.number(4) }, () => ({
    unit_number: unitOf(choices),
    location_id: h.cast.mesa,
    submitted_date: choices.isTrue(70) ? dayNear(driver, choices, 40, 0) : null,
  }))
  const text = [
    'unit_number,location,submitted_date',
    ...rows.map((row) => `${row.unit_number},Mesa,${row.submitted_date ?? ''}`),
  ].join('\n')
  driver.log.push(`${fleet.today} import of titles: ${text.replaceAll('\n', ' / ')}`)
  const { body } = await h.cast.ada.upload('titles', 'titles.csv', text)
  const pending = new Set(
    fleet.titles.filter(({ transferred_date }) => !transferred_date).map(({ unit_number }) => unit_number),
  )
  const created = rows.filter(({ unit_number }) => !pending.has(unit_number) && pending.add(unit_number))
  const result = body as unknown as { imported: number; data: { id: number } }
  if (result.imported !== created.length)
    throw new Error(`${result.imported} titles were imported instead of ${created.length}`)
  const { data } = (await h.cast.ada.get('/titles?sort=created_at&order=desc&per_page=100')).body
  const records = created.map((row) => {
    const match = (data as unknown as Title[]).find(
      ({ id, unit_number }) => unit_number === row.unit_number && !fleet.records.has(Fleet.key({ kind: 'titles', id })),
    )
    if (!match) throw new Error(`A row was not imported: ${JSON.stringify(row)}`)
    return driver.changed<Title>({
      ...row,
      submitted_date: row.submitted_date ?? fleet.today,
      kind: 'titles',
      id: match.id,
      transferred_date: null,
      next_chase_on: null,
    })
  })
  if (records.length > 0) driver.lastImport = { id: result.data.id, created: records, changes: new Map(driver.changes) }
}

async function undoImport(driver: Driver) {
  const { h, lastImport } = driver
  if (!lastImport) return
  driver.lastImport = null
  await driver.call('POST', `/files/${lastImport.id}/undo`, undefined, 202)
  await h.cast.ada.settled(lastImport.id)
  for (const one of lastImport.created) if (driver.isUnchangedSince(one, lastImport.changes)) driver.removed(one)
}

export const NEXT_DAY: Step = (driver, choices) => driver.advance(choices.isTrue(15) ? 7 : 1 + choices.number(2))

/** All steps with their weights. */
const WEIGHTED: [number, Step][] = [
  [6, createTransport],
  [1, retryTransport],
  [7, changeTransportStatus],
  [4, editTransport],
  [2, bulkDeliver],
  [2, undoBulk],
  [4, createOsl],
  [5, changeOslStatus],
  [2, changeRate],
  [2, waive],
  [2, noteOsl],
  [3, editOsl],
  [1, stopFees],
  [4, createRegistration],
  [3, receive],
  [2, renew],
  [2, editRegistration],
  [1, bulkReceive],
  [3, createTitle],
  [3, transferTitle],
  [2, chaseTitle],
  [4, remove],
  [3, restore],
  [2, refused],
  [2, importTransports],
  [1, importTitles],
  [2, undoImport],
  [8, NEXT_DAY],
]
export const STEPS: Step[] = WEIGHTED.flatMap(([weight, step]) => Array.from({ length: weight }, () => step))
