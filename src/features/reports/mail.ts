import { and, asc, eq, getTableColumns, isNotNull, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { reportRuns, reportSchedules } from '../../../db/schema'
import type { Config } from '../../platform/config'
import type { AppContext } from '../../platform/context'
import { sendMail } from '../../platform/mail'
import { areOwnersActive, canOwnersSeeCosts } from './owners'

/** Minutes to wait before each retry of a failed mail. After the last retry, the mail is dropped. */
const WAITS_MINUTES = [5, 5, 15, 60, 240]

type Mail = NonNullable<Config['mail']>
type Run = typeof reportRuns.$inferSelect & { schedule: typeof reportSchedules.$inferSelect }

/**
 * Claims the next report file to mail.
 * The time of the retry is set before the mail is sent, so that no other server instance sends the same mail. If the
 * process stops while sending, the retry sends the mail again. In this rare case, a mail can arrive twice.
 */
async function takeNext(db: Db, now: Date): Promise<Run | undefined> {
  return db.transaction(async (tx) => {
    const [due] = await tx
      .select({ id: reportRuns.id, mail_tries: reportRuns.mail_tries })
      .from(reportRuns)
      .where(and(isNotNull(reportRuns.next_mail_at), lte(reportRuns.next_mail_at, now)))
      .orderBy(asc(reportRuns.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return undefined
    const wait = WAITS_MINUTES[due.mail_tries]
    const next_mail_at = wait === undefined ? null : new Date(now.getTime() + wait * 60_000)
    await tx
      .update(reportRuns)
      .set({ mail_tries: due.mail_tries + 1, next_mail_at })
      .where(eq(reportRuns.id, due.id))
    const [run] = await tx
      .select({ ...getTableColumns(reportRuns), schedule: getTableColumns(reportSchedules) })
      .from(reportRuns)
      .innerJoin(reportSchedules, eq(reportSchedules.id, reportRuns.schedule_id))
      .where(eq(reportRuns.id, due.id))
    return run
  })
}

/**
 * Returns why a mail must no longer be sent, or null. The mail may have waited for hours, and its scheduled report may
 * have changed in the meantime.
 */
async function reasonToCancel(db: Db, { schedule, mail_to, includes_costs }: Run): Promise<string | null> {
  if (!schedule.is_active) return 'the schedule was paused'
  if (schedule.mail_to !== mail_to) return 'the recipients were changed'
  if (!(await areOwnersActive(db, schedule))) return 'the account of the creator or last editor was deactivated'
  if (includes_costs && !(await canOwnersSeeCosts(db, schedule)))
    return 'the creator or last editor can no longer see costs'
  return null
}

const send = (mail: Mail, { schedule, start_date, end_date, mail_to, file_name, content }: Run) =>
  sendMail(mail, {
    to: mail_to ?? '',
    subject: `${schedule.name}: ${start_date} to ${end_date}`,
    text: `The report "${schedule.name}" for ${start_date} to ${end_date} is attached.`,
    attachments: file_name && content ? [{ filename: file_name, content: Buffer.from(content) }] : [],
  })

/**
 * Mails all report files that are waiting to be sent.
 * If `SMTP_URL` is not set, cancels all of them. Cancels a single mail if its schedule was paused, has new recipients,
 * or has owners without access (see `reasonToCancel`).
 * @returns the number of mails sent
 */
export async function mailRuns({ db, config, clock }: Pick<AppContext, 'db' | 'config' | 'clock'>): Promise<number> {
  if (!config.mail) {
    // Cancel the waiting mails. If they stayed in the queue, all of them would be sent as soon as mail is set up.
    await db
      .update(reportRuns)
      .set({ next_mail_at: null, mail_error: 'mail was not set up' })
      .where(isNotNull(reportRuns.next_mail_at))
    return 0
  }
  for (let sentCount = 0; ; ) {
    const run = await takeNext(db, clock.now())
    if (!run) return sentCount
    const cancelReason = await reasonToCancel(db, run)
    if (cancelReason) {
      await db.update(reportRuns).set({ next_mail_at: null, mail_error: cancelReason }).where(eq(reportRuns.id, run.id))
      continue
    }
    try {
      await send(config.mail, run)
      await db
        .update(reportRuns)
        .set({ mailed_at: clock.now(), mail_error: null, next_mail_at: null })
        .where(eq(reportRuns.id, run.id))
      sentCount++
    } catch (error) {
      const mail_error = error instanceof Error ? error.message.slice(0, 300) : String(error)
      await db.update(reportRuns).set({ mail_error }).where(eq(reportRuns.id, run.id))
    }
  }
}
