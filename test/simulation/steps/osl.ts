import { OSL_STATUSES } from '../../../db/vocabulary'
import type { Choices } from '../choices'
import type { Driver } from '../driver'
import { addDays, type OslEntry } from '../model/records'
import { centsOf, dayNear, path, placeOf, type Step, unitOf } from './step'

async function createOsl(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const vendor = choices.isTrue(60) ? choices.of(fleet.vendors) : undefined
  const rate = choices.isTrue(40) ? centsOf(choices) : null
  const values = {
    unit_number: unitOf(choices),
    location_id: placeOf(driver, choices),
    vendor_id: vendor?.id ?? null,
    osl_date: dayNear(driver, choices, 20, 0),
    problem: 'Transmission slips in third gear',
    ...(rate === null ? {} : { storage_fee_daily_rate: rate / 100 }),
  }
  const { data } = await driver.call('POST', '/osl', values, { expected: 201 })
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
  await driver.call('POST', `${path(one)}/rates`, { from, daily_rate: rate / 100 }, { expected: 201 })
  driver.changed({
    ...one,
    has_fees: true,
    rate: one.has_fees ? one.rate : 0,
    rates: [...one.rates, { from, rate }],
    touched_on: driver.fleet.today,
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
  await driver.call('POST', `${path(one)}/notes`, { note_text: 'Called the shop' }, { expected: 201 })
  driver.noted({ ...one, touched_on: driver.fleet.today })
}

export const OSL_STEPS: [number, Step][] = [
  [4, createOsl],
  [5, changeOslStatus],
  [2, changeRate],
  [2, waive],
  [2, noteOsl],
  [3, editOsl],
  [1, stopFees],
]
