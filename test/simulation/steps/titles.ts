import type { Choices } from '../choices'
import type { Driver } from '../driver'
import type { Title } from '../model/records'
import { dayNear, path, placeOf, type Step, unitOf } from './step'

async function createTitle(driver: Driver, choices: Choices) {
  const values = {
    unit_number: unitOf(choices),
    location_id: placeOf(driver, choices),
    submitted_date: dayNear(driver, choices, 50, 2),
  }
  const { data } = await driver.call('POST', '/titles', values, { expected: 201 })
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
  driver.noted({ ...one, next_chase_on: next_on })
}

export const TITLE_STEPS: [number, Step][] = [
  [3, createTitle],
  [3, transferTitle],
  [2, chaseTitle],
]
