import { TRANSPORT_STATUSES } from '../../../db/vocabulary'
import type { Choices } from '../choices'
import type { Answer, Driver } from '../driver'
import { Fleet } from '../model/fleet'
import type { FleetRecord } from '../model/records'
import { withReceived } from './registrations'
import type { Step } from './step'
import { withStatus } from './transports'

/** Notes a bulk edit for a later undo. Without an id, its answer was lost, and it cannot be undone here. */
function noteBulk(driver: Driver, { data: { id } }: Answer, before: FleetRecord[]) {
  driver.lastBulk = id === undefined ? null : { id, before, changes: new Map(driver.changes) }
}

async function bulkDeliver(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const chosen = fleet.transports.filter(() => choices.isTrue(25)).slice(0, 20)
  if (chosen.length === 0) return
  const status = choices.of(TRANSPORT_STATUSES) as string
  const answer = await driver.call('POST', '/transports/bulk', { ids: chosen.map(({ id }) => id), set: { status } })
  for (const one of chosen) if (one.status !== status) driver.changed(withStatus(one, status, null, fleet.today))
  noteBulk(driver, answer, chosen)
}

async function bulkReceive(driver: Driver, choices: Choices) {
  const chosen = driver.fleet.registrations.filter(() => choices.isTrue(30)).slice(0, 20)
  if (chosen.length === 0) return
  const received = choices.isTrue(60)
  const ids = chosen.map(({ id }) => id)
  const answer = await driver.call('POST', '/registrations/bulk', { ids, set: { received } })
  for (const one of chosen)
    if (one.received !== received) driver.changed(withReceived(one, received, driver.fleet.today))
  noteBulk(driver, answer, chosen)
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

export const BULK_STEPS: [number, Step][] = [
  [2, bulkDeliver],
  [1, bulkReceive],
  [2, undoBulk],
]
