import { reasonOf } from '../db/client'
import { scheduleActor } from './audit/actor'
import { sweepSessions } from './auth/queries'
import { importDesk, sweepImports } from './files/import-desk'
import type { Office } from './office'
import { expireRegistrations } from './registrations/queries'
import { mailRuns } from './reports/mail'
import { runDueSchedules } from './reports/schedules'

const SWEEP_EVERY_MS = 10 * 60 * 1000
const SCHEDULES_EVERY_MS = 60 * 1000
const DISK_EVERY_MS = 30 * 1000
const UPKEEP_EVERY_MS = 60 * 1000
const IMPORTS_EVERY_MS = 5 * 1000

/** What the house does by itself; a chore that fails is tried again at its next turn. */
export function keepHouse(office: Office): Timer[] {
  const { db, clock } = office
  const chore = (everyMs: number, work: () => Promise<unknown>) => {
    let isBusy = false
    const run = async () => {
      if (isBusy) return
      isBusy = true
      await work().catch((error) => office.log('warn', 'a chore failed', { reason: reasonOf(error) }))
      isBusy = false
    }
    void run()
    return setInterval(run, everyMs).unref()
  }
  return [
    chore(DISK_EVERY_MS, async () => office.disk.watch()),
    chore(SWEEP_EVERY_MS, () => sweepSessions(db, clock.now())),
    chore(SWEEP_EVERY_MS, () => expireRegistrations(db, scheduleActor(clock.now()), clock)),
    chore(SWEEP_EVERY_MS, () => sweepImports(office)),
    ...(office.database.keepUp ? [chore(UPKEEP_EVERY_MS, () => office.database.keepUp?.() ?? Promise.resolve())] : []),
    chore(IMPORTS_EVERY_MS, () => importDesk(office).resume()),
    chore(SCHEDULES_EVERY_MS, () => runDueSchedules(db, clock).finally(() => mailRuns(office))),
  ]
}
