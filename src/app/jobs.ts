import { reasonOf } from '../../db/client'
import { mailDue } from '../features/due'
import { expireRegistrations } from '../features/registrations'
import { mailRuns, runDueSchedules } from '../features/reports'
import { sweepSessions } from '../platform/auth/ending-sessions'
import type { AppContext } from '../platform/context'
import { sweepKeys } from '../platform/http/idempotency'
import { sweepImports } from '../platform/imports/job/discard'
import { importRunner } from '../platform/imports/job/runner'
import { foldTallies } from '../platform/records/tallies'
import { scheduleWrite } from '../platform/records/transactions'
import { reportSource } from '../platform/replica'
import { applyRetention } from '../platform/retention'
import { sweepDeliveries } from '../platform/webhooks/queries'
import { sendDeliveries } from '../platform/webhooks/send'

const SWEEP_EVERY_MS = 10 * 60 * 1000
const SCHEDULES_EVERY_MS = 60 * 1000
const DISK_EVERY_MS = 30 * 1000
const UPKEEP_EVERY_MS = 60 * 1000
const IMPORTS_EVERY_MS = 5 * 1000
const WEBHOOKS_EVERY_MS = 1000

const runSchedules = async (ctx: AppContext) =>
  runDueSchedules(ctx.db, ctx.clock, ctx.replica ? (await reportSource(ctx)).db : undefined)

/** A job that fails runs again at its next interval. */
export function startJobs(ctx: AppContext): Timer[] {
  const { db, clock } = ctx
  const job = (everyMs: number, work: () => Promise<unknown>) => {
    let isBusy = false
    const run = async () => {
      if (isBusy) return
      isBusy = true
      await work().catch((error) => ctx.log('warn', 'a job failed', { reason: reasonOf(error) }))
      isBusy = false
    }
    void run()
    return setInterval(run, everyMs).unref()
  }
  return [
    job(DISK_EVERY_MS, async () => ctx.disk.watch()),
    job(SWEEP_EVERY_MS, () => sweepSessions(db, clock.now())),
    job(SWEEP_EVERY_MS, () => applyRetention(ctx)),
    job(SWEEP_EVERY_MS, () => expireRegistrations(scheduleWrite(db, clock))),
    job(SWEEP_EVERY_MS, () => sweepImports(ctx)),
    job(SWEEP_EVERY_MS, () => sweepKeys(ctx)),
    job(SWEEP_EVERY_MS, () => foldTallies(db)),
    job(SWEEP_EVERY_MS, () => sweepDeliveries(ctx)),
    job(WEBHOOKS_EVERY_MS, () => sendDeliveries(ctx)),
    ...(ctx.database.keepUp ? [job(UPKEEP_EVERY_MS, () => ctx.database.keepUp?.() ?? Promise.resolve())] : []),
    job(IMPORTS_EVERY_MS, () => importRunner(ctx).resumeInBackground()),
    job(SCHEDULES_EVERY_MS, () => mailDue(ctx)),
    job(SCHEDULES_EVERY_MS, () => runSchedules(ctx).finally(() => mailRuns(ctx))),
  ]
}
