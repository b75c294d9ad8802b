import type { Choices } from '../choices'
import type { Driver } from '../driver'
import { addDays, type Registration } from '../model/records'
import { centsOf, dayNear, path, placeOf, type Step, unitOf } from './step'

async function createRegistration(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const date_issued = dayNear(driver, choices, 300, 0)
  const [cost, vlt] = [choices.isTrue(70) ? centsOf(choices) : null, choices.isTrue(50) ? centsOf(choices) : null]
  const received = choices.isTrue(40)
  const values = {
    unit_number: unitOf(choices),
    location_id: placeOf(driver, choices),
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
    { expected: 201 },
  )
  driver.changed(
    withReceived(
      { ...values, kind: 'registrations', id: data.id as number, status: '', received, cost, vlt },
      received,
      fleet.today,
    ),
  )
}

export const withReceived = (one: Registration, received: boolean, today: string): Registration => ({
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
  const { data } = await driver.call(
    'POST',
    `${path(one)}/renew`,
    { cost: cost / 100, date_expires },
    { expected: 201 },
  )
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

export const REGISTRATION_STEPS: [number, Step][] = [
  [4, createRegistration],
  [3, receive],
  [2, renew],
  [2, editRegistration],
]
