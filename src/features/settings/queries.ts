import { asc } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { companySettings } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import type { DueCalendar } from '../../platform/records/kind'
import { Missing } from '../../platform/refusals'

export type Settings = typeof companySettings.$inferSelect

export type Letterhead = Pick<Settings, 'company_name' | 'address' | 'phone' | 'email'>

export async function findSettings(db: Db): Promise<Settings> {
  const [settings] = await db.select().from(companySettings).orderBy(asc(companySettings.id)).limit(1)
  if (!settings) throw new Missing('Settings')
  return settings
}

export async function dueCalendar(db: Db, { today, timeZone }: Calendar): Promise<DueCalendar> {
  return { today, timeZone, lead: await findSettings(db) }
}
