import { MOVE_TYPES, TRANSPORT_STATUSES } from '../../../db/vocabulary'
import type { Choices } from '../choices'
import { Difference, type Driver } from '../driver'
import type { Transport } from '../model/records'
import { addDays } from '../model/records'
import { centsOf, dayNear, path, placeOf, type Step, unitOf } from './step'

/** Returns a transport with another status, which also sets or clears its arrival date. */
export function withStatus(one: Transport, status: string, arrival: string | null, today: string): Transport {
  const actual_arrival_date = status === 'Delivered' ? (arrival ?? one.actual_arrival_date ?? today) : null
  return { ...one, status, actual_arrival_date }
}

export function newTransport(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const move_date = dayNear(driver, choices, 20, 5)
  return {
    unit_number: unitOf(choices),
    location_out_id: placeOf(driver, choices),
    location_in_id: placeOf(driver, choices),
    transport_company_id: (choices.isTrue(50) ? fleet.companies[0] : fleet.companies[1]) as number,
    move_date,
    estimated_arrival_date: choices.isTrue(60) ? addDays(move_date, choices.number(6)) : null,
    move_type: choices.of(MOVE_TYPES) as string,
    status: choices.of(TRANSPORT_STATUSES.filter((status) => status !== 'Delivered')) as string,
    issue_po: choices.isTrue(20),
  }
}

export const storedTransport = (values: ReturnType<typeof newTransport>, id: number): Transport => ({
  ...values,
  kind: 'transports',
  id,
  actual_arrival_date: null,
  final_cost: null,
  po_number: null,
})

async function createTransport(driver: Driver, choices: Choices) {
  const values = newTransport(driver, choices)
  const { data } = await driver.call('POST', '/transports', values, { expected: 201 })
  driver.changed(storedTransport(values, data.id as number))
}

/** Sends one creation twice with the same key, as a client does that has lost the answer. */
async function retryTransport(driver: Driver, choices: Choices) {
  const values = newTransport(driver, choices)
  const headers = { 'idempotency-key': `simulation-${driver.log.length}` }
  const first = await driver.call('POST', '/transports', values, { expected: 201, headers })
  const again = await driver.call('POST', '/transports', values, { expected: 201, headers })
  if (again.data.id !== first.data.id) throw new Difference('A retried call created a second record')
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

export const TRANSPORT_STEPS: [number, Step][] = [
  [6, createTransport],
  [1, retryTransport],
  [7, changeTransportStatus],
  [4, editTransport],
]
