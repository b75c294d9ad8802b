import type { z } from 'zod'
import type { Db } from '../../db/client'
import { companySettings } from '../../db/schema'
import type { Actor } from '../records/actor'
import { changeRecord, withoutMissing } from '../records/write'
import { findSettings, type Settings } from './queries'
import { checkDays, type settingsChange } from './rules'

/** Changes the settings given. @throws Stale, Refused */
export async function updateSettings(
  db: Db,
  actor: Actor,
  { version, ...change }: z.output<typeof settingsChange>,
): Promise<Settings> {
  const { id } = await findSettings(db)
  const { after } = await changeRecord(db, actor, companySettings, {
    id,
    version,
    what: 'Settings',
    values(stored) {
      checkDays({ ...stored, ...withoutMissing(change) })
      return change
    },
  })
  return after
}
