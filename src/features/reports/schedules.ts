import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client'
import { locations, reportRuns, reportSchedules } from '../../../db/schema'
import type { Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Conflict, Missing } from '../../platform/refusals'
import { nextRun } from './calendar'
import { checkRhythm, type schedule } from './rules'

export type Schedule = Awaited<ReturnType<typeof listSchedules>>[number]
type NewSchedule = z.output<typeof schedule>

const lastRun = sql<
  number | null
>`(select max(${reportRuns.id}) from ${reportRuns} where ${reportRuns.schedule_id} = "report_schedules"."id")`

export const listSchedules = (db: Db) =>
  db
    .select({
      ...getTableColumns(reportSchedules),
      location_name: locations.location_name,
      last_run_id: lastRun.as('last_run_id'),
    })
    .from(reportSchedules)
    .leftJoin(locations, eq(locations.id, reportSchedules.location_id))
    .orderBy(asc(reportSchedules.id))

export async function findSchedule(db: Db, id: number) {
  const [stored] = await db.select().from(reportSchedules).where(eq(reportSchedules.id, id))
  if (!stored) throw new Missing('Schedule')
  return stored
}

/** Maximum number of schedules that a user can create, because all of them can be due in the same hour. */
const SCHEDULES_PER_USER = 50

/**
 * @throws Refused when a weekly schedule has no weekday, or a monthly schedule has no day of the month
 * @throws Conflict when the user has too many schedules
 */
export async function createSchedule(write: Write, values: NewSchedule) {
  checkRhythm(values)
  const own = await write.db.$count(reportSchedules, eq(reportSchedules.created_by, String(write.actor.username)))
  if (own >= SCHEDULES_PER_USER)
    throw new Conflict(`You already have ${SCHEDULES_PER_USER} scheduled reports. Delete one before you add another.`)
  return createRecord(write, reportSchedules, {
    ...values,
    next_run_at: nextRun(values, write.clock.now(), write.clock.timeZone),
  })
}

const RHYTHM = ['frequency', 'weekday', 'day_of_month', 'hour', 'is_active'] as const

/**
 * Changes a scheduled report. If its timing changes, the time of the next run is computed again.
 * @throws Missing when the schedule does not exist
 * @throws Stale when another user has changed the schedule
 * @throws Refused when a weekly schedule has no weekday, or a monthly schedule has no day of the month
 */
export async function updateSchedule(
  write: Write,
  id: number,
  version: number | undefined,
  change: Partial<NewSchedule>,
) {
  const { after } = await changeRecord(write, reportSchedules, {
    id,
    version,
    what: 'Schedule',
    values: (stored) => {
      const next = { ...stored, ...change }
      checkRhythm(next)
      // Keep the time of the next run if the timing is unchanged. A new time would skip a run that is due now.
      const isSameRhythm = RHYTHM.every((part) => next[part] === stored[part])
      return isSameRhythm ? change : { ...change, next_run_at: nextRun(next, write.clock.now(), write.clock.timeZone) }
    },
  })
  return after
}

export const removeSchedule = (write: Write, id: number) => removeRecord(write, reportSchedules, id, 'Schedule')
