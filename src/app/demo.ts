import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { CAST } from '../../db/cast'
import type { Db } from '../../db/client'
import { locations, users, vehicles } from '../../db/schema'
import { seedDemo } from '../../db/seed'
import type { Assets } from '../platform/assets'
import { hashPassword, randomPassword } from '../platform/auth/passwords'
import { businessClock } from '../platform/clock'
import type { Config } from '../platform/config'
import { STAMPS } from '../platform/records/stamps'
import { commandWrite, type Write } from '../platform/records/transactions'
import { createRecord } from '../platform/records/write'
import { StartError } from '../platform/start-error'
import { openMigrated } from './open'
import { serve } from './server'

/**
 * Prints how to sign in.
 * @throws StartError when the database is not empty
 */
export async function seedAll(db: Db, today: string): Promise<void> {
  const [places, units] = await Promise.all([db.$count(locations), db.$count(vehicles)])
  if (places || units) throw new StartError('seed --demo works only on an empty database; this one already has records')
  const password = randomPassword()
  const password_hash = await hashPassword(password)
  await db.transaction(async (tx) => {
    for (const person of [CAST.ada, CAST.ben]) {
      const [existing] = await tx
        .select({ id: users.id })
        .from(users)
        .where(sql`lower(${users.username}) = lower(${person.username})`)
      if (!existing) await createRecord(commandWrite(tx), users, { ...person, password_hash })
    }
    await seedDemo(tx, today, new Date())
    await auditSeeded(commandWrite(tx))
  })
  console.log(`Sign in as ada (administrator) or ben (user), password: ${password}`)
}

const SEEDED = [
  'locations',
  'transport_companies',
  'vendors',
  'vehicles',
  'transports',
  'osl_entries',
  'registrations',
  'titles',
]

/** Adds the creation of each record to the audit trail, in the order of their times. */
async function auditSeeded(write: Write) {
  const stamps = `{${[...STAMPS].join()}}`
  const created = SEEDED.map(
    (table) => sql`select t.created_at as at, ${table}::text as entity, t.id,
      (select jsonb_object_agg(key, jsonb_build_object('old', null, 'new', value))
      from jsonb_each(to_jsonb(t) - ${stamps}::text[]) where value <> 'null'::jsonb) as changes
      from ${sql.identifier(table)} t`,
  )
  await write.db.execute(sql`
    insert into audit_entries (at, source, action, entity, entity_id, changes)
    select at, ${write.actor.source}, 'create', entity, id, changes
    from (${sql.join(created, sql` union all `)}) c order by at, entity, id`)
}

export async function serveDemo(config: Config, loadAssets: () => Promise<Assets>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'yardmaster-demo-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const own = { ...config, databaseUrl: null, dataDir }
  const database = await openMigrated(own)
  await seedAll(database.db, businessClock(config.timeZone).today()).finally(() => database.close())
  await serve(own, loadAssets)
}
