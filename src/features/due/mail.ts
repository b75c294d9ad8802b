import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import { reasonOf } from '../../../db/client'
import { users } from '../../../db/schema'
import { hourIn } from '../../platform/clock'
import type { AppContext } from '../../platform/context'
import { sendMail } from '../../platform/mail'
import { dueRules, formatDaysOverdue } from '../../platform/records/kind'
import { findSettings } from '../settings'
import { countDue, type DueCounts, type DueItem, listDue } from './queries'
import { dueFilters } from './rules'

/**
 * Number of hours in which the daily mail can be sent. The first of these hours is the configured hour. During these
 * hours, a failed mail is retried every minute. After these hours, it is not retried.
 */
const RETRY_HOURS = 3
const MAX_OWN_ITEMS = 20

function textOf(counts: DueCounts, own: DueItem[]): string {
  const kinds = dueRules()
    .filter(({ name }) => counts[name])
    .map(({ name, label }) => `${label}: ${counts[name]}`)
  const lines = own.map((item) => `Unit ${item.unit_number}, ${formatDaysOverdue(item)}: ${item.text}`)
  return [...kinds, ...(lines.length ? ['', 'Assigned to you:', ...lines] : [])].join('\n')
}

/**
 * Mails the numbers of due items to the daily mail's subscribers. The mail also lists up to 20 items that are assigned
 * to the recipient. Sends nothing before the configured hour, or if nothing is due. Sets `due_mailed_on` before it
 * sends a mail, so that two server instances cannot both mail a user.
 * @returns the number of mails sent
 */
export async function mailDue({ db, clock, config, log }: Pick<AppContext, 'db' | 'clock' | 'config' | 'log'>) {
  if (!config.mail) return 0
  const settings = await findSettings(db)
  const { due_mail_hour } = settings
  const hour = hourIn(clock.now(), clock.timeZone)
  if (hour < due_mail_hour || hour >= due_mail_hour + RETRY_HOURS) return 0
  const today = clock.today()
  const isNotMailed = or(sql`${users.due_mailed_on} is null`, sql`${users.due_mailed_on} <> ${today}::date`)
  const waiting = await db
    .select({ id: users.id, username: users.username, email: users.email, due_mailed_on: users.due_mailed_on })
    .from(users)
    .where(and(eq(users.is_active, true), eq(users.wants_due_mail, true), isNotNull(users.email), isNotMailed))
  if (waiting.length === 0) return 0
  const calendar = { ...clock, lead: settings }
  const counts = await countDue(db, calendar)
  let sentCount = 0
  for (const { id, username, email, due_mailed_on } of waiting) {
    const mark = db.update(users)
    const [isOurs] = await mark
      .set({ due_mailed_on: today })
      .where(and(eq(users.id, id), isNotMailed))
      .returning()
    if (!isOurs || counts.total === 0) continue
    const filters = dueFilters.parse({ assigned_to: username, per_page: MAX_OWN_ITEMS })
    try {
      const { rows: own } = await listDue(db, calendar, filters)
      await sendMail(config.mail, { to: email ?? '', subject: `Due items: ${counts.total}`, text: textOf(counts, own) })
      sentCount++
    } catch (error) {
      log('warn', 'due items could not be mailed', { username, reason: reasonOf(error) })
      await db.update(users).set({ due_mailed_on }).where(eq(users.id, id))
    }
  }
  return sentCount
}
