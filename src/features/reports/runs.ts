import { and, asc, desc, eq, exists, getTableColumns, gte, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { type Db, databaseError, isDatabaseAway, reasonOf } from '../../../db/client'
import { reportRuns, reportSchedules, users } from '../../../db/schema'
import type { Role } from '../../../db/vocabulary'
import { businessClock, type Clock } from '../../platform/clock'
import { columnsFor, isCostColumn } from '../../platform/costs'
import { fileBytes } from '../../platform/lists/tables/table-file'
import { audit, changesBetween } from '../../platform/records/audit-entry'
import { scheduleWrite } from '../../platform/records/transactions'
import { Missing } from '../../platform/refusals'
import { nextRun, periodOf } from './calendar'
import { checkMayRun } from './costs'
import { areOwnersActive, canOwnersSeeCosts } from './owners'
import { runReport } from './queries'
import { type ReportType, rowsWithTotal } from './types'

const { content: _content, ...runColumns } = getTableColumns(reportRuns)

export const listRuns = (db: Db, schedule_id: number | null, limit = 20) =>
  db
    .select({ ...runColumns, schedule_name: reportSchedules.name })
    .from(reportRuns)
    .innerJoin(reportSchedules, eq(reportSchedules.id, reportRuns.schedule_id))
    .where(schedule_id ? eq(reportRuns.schedule_id, schedule_id) : undefined)
    .orderBy(desc(reportRuns.id))
    .limit(limit)

const FRESH_DAYS = 8

/**
 * Lists the latest results of a user's scheduled reports. Results are files and errors. Administrators also see the
 * results of built-in schedules, which no user created.
 */
export const runsFor = (db: Db, user: { username: string; role: Role }, clock: Clock, limit = 5) =>
  db
    .select({ ...runColumns, schedule_name: reportSchedules.name })
    .from(reportRuns)
    .innerJoin(reportSchedules, eq(reportSchedules.id, reportRuns.schedule_id))
    .where(
      and(
        user.role === 'admin'
          ? or(eq(reportSchedules.created_by, user.username), isNull(reportSchedules.created_by))
          : eq(reportSchedules.created_by, user.username),
        gte(reportRuns.ran_at, new Date(clock.now().getTime() - FRESH_DAYS * 86_400_000)),
        or(isNotNull(reportRuns.file_name), isNotNull(reportRuns.error)),
      ),
    )
    .orderBy(desc(reportRuns.id))
    .limit(limit)

/** @throws Missing when this run of the schedule has no file */
export async function findRunFile(db: Db, id: number): Promise<{ name: string; content: Uint8Array }> {
  const [run] = await db
    .select({ name: reportRuns.file_name, content: reportRuns.content })
    .from(reportRuns)
    .where(eq(reportRuns.id, id))
  if (!run?.name || !run.content) throw new Missing('File')
  return { name: run.name, content: run.content }
}

async function keepRun(db: Db, clock: Clock, values: typeof reportRuns.$inferInsert) {
  const [run] = await db.insert(reportRuns).values(values).returning({ id: reportRuns.id })
  const { content: _content, ...loggedValues } = values
  await audit(scheduleWrite(db, clock), 'create', 'report_runs', run!.id, changesBetween(null, loggedValues))
}

type Due = typeof reportSchedules.$inferSelect & { next_run_at: Date }

/**
 * Values to store for every run, successful or failed. The period is computed from the time at which the report was
 * due, even if it ran late because the server was down.
 */
function runOf({ id, period, next_run_at }: Due, clock: Clock) {
  const days = periodOf(period, businessClock(clock.timeZone, () => next_run_at).today())
  return { schedule_id: id, due_at: next_run_at, ran_at: clock.now(), ...days }
}

async function perform(db: Db, clock: Clock, due: Due, readFrom: Db) {
  const run = runOf(due, clock)
  const { start_date, end_date } = run
  const owner = { sees_costs: await canOwnersSeeCosts(db, due) }
  checkMayRun(owner, due.report_type as ReportType)
  const report = await runReport(readFrom, due.report_type as ReportType, {
    start_date,
    end_date,
    location_id: due.location_id,
    today: clock.today(),
    timeZone: clock.timeZone,
  })
  const columns = columnsFor(owner, report.columns)
  const isSkipped = due.skip_empty && report.rows.length === 0
  const name = `${due.report_type}_${start_date}_to_${end_date}.${due.format}`
  const file = isSkipped
    ? {}
    : {
        file_name: name,
        content: await fileBytes(due.format, columns, rowsWithTotal(report)),
        includes_costs: columns.some(isCostColumn),
      }
  const isMailed = !isSkipped && due.mail_to && (await areOwnersActive(db, due))
  const mail = !isMailed ? {} : { mail_to: due.mail_to, next_mail_at: clock.now() }
  await keepRun(db, clock, { ...run, row_count: report.rows.length, ...file, ...mail })
}

const activeOwner = (tx: Db) =>
  tx
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.username, reportSchedules.created_by), eq(users.is_active, true)))

/**
 * Claims a due scheduled report, and sets its next run time. The row stays locked until the transaction ends, so that
 * other server instances skip this schedule.
 */
async function takeDue(tx: Db, clock: Clock): Promise<typeof reportSchedules.$inferSelect | undefined> {
  const now = clock.now()
  const [due] = await tx
    .select()
    .from(reportSchedules)
    .where(
      and(
        eq(reportSchedules.is_active, true),
        // A user's schedule does not run while the account of this user is deactivated. Built-in schedules have no
        // creator, so this condition does not apply to them.
        or(isNull(reportSchedules.created_by), exists(activeOwner(tx))),
        or(isNull(reportSchedules.next_run_at), lte(reportSchedules.next_run_at, now)),
      ),
    )
    .orderBy(asc(reportSchedules.id))
    .limit(1)
    .for('update', { skipLocked: true })
  if (!due) return undefined
  const next_run_at = nextRun(due, now, clock.timeZone)
  await tx.update(reportSchedules).set({ next_run_at }).where(eq(reportSchedules.id, due.id))
  // Keep the version number of the schedule, so that a user who is editing it can still save it.
  await audit(
    scheduleWrite(tx, clock),
    'update',
    'report_schedules',
    due.id,
    changesBetween({ next_run_at: due.next_run_at }, { next_run_at }),
  )
  return due
}

/**
 * True if a schedule that `takeDue` returned must run now. A new schedule had no due time before. It does not run yet,
 * because `takeDue` has only just set its first due time.
 */
const isMeant = (schedule: typeof reportSchedules.$inferSelect): schedule is Due => schedule.next_run_at !== null

/**
 * Runs one scheduled report that is due. If the report fails, the transaction is rolled back and a second transaction
 * records the error. Other schedules still run.
 * @returns false if no schedule is due
 */
async function runNext(db: Db, clock: Clock, readFrom?: Db): Promise<boolean> {
  let scheduleId: number | undefined
  try {
    return await db.transaction(async (tx) => {
      const due = await takeDue(tx, clock)
      scheduleId = due?.id
      if (due && isMeant(due)) await perform(tx, clock, due, readFrom ?? tx)
      return due !== undefined
    })
  } catch (error) {
    const isTooSlow = databaseError(error)?.code === '57014'
    if (isDatabaseAway(error) && !isTooSlow) throw error
    return db.transaction(async (tx) => {
      const due = await takeDue(tx, clock)
      if (due?.id !== scheduleId) throw error
      if (due && isMeant(due))
        await keepRun(tx, clock, { ...runOf(due, clock), error: isTooSlow ? TOO_SLOW : reasonOf(error) })
      return true
    })
  }
}

const TOO_SLOW = 'The report took too long'

/**
 * Runs each scheduled report that is due. A report runs only once, even if several server instances call this function
 * at the same time.
 * @param readFrom the replica from which the reports are read, if there is one
 * @returns the number of schedules that were due
 */
export async function runDueSchedules(db: Db, clock: Clock, readFrom?: Db): Promise<number> {
  for (let runCount = 0; ; runCount++) {
    const began = performance.now()
    if (!(await runNext(db, clock, readFrom))) return runCount
    // Let other requests run for as long as the report took. On the embedded database, they waited for it.
    await Bun.sleep(performance.now() - began)
  }
}
