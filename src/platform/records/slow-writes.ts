import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { settings } from '../../../db/schema'
import type { Write } from './transactions'

/**
 * Stores slow transactions, because polling clients could miss their changes. The clients poll with `updated_since`.
 * The records of a transaction get the start time of the transaction as `updated_at`. If the transaction commits a
 * minute later, a client may already have read past this time. `safeSince` then makes the next read of the client begin
 * at the start of the transaction.
 */

const KEY = 'slow_writes'

/**
 * Minimum duration, in milliseconds, of a transaction that counts as slow. Clients do not miss the changes of faster
 * transactions, because `docs/api.md` tells them to begin each read one minute before the previous read.
 */
const SLOW_MS = 20_000

/** Maximum time, in milliseconds, from `noteSlowWrite` until the transaction is committed. */
const COMMIT_MS = 60_000

/** Maximum number of slow transactions whose times are stored. The oldest are deleted first. */
const KEPT = 200

/** In milliseconds since 1970. */
type SlowWrite = { began: number; ended: number }

/** Must be called at the end of the transaction. */
export async function noteSlowWrite({ db, actor, clock }: Pick<Write, 'db' | 'actor' | 'clock'>): Promise<void> {
  const [began, ended] = [actor.now.getTime(), clock.now().getTime()]
  if (ended - began < SLOW_MS) return
  const write: SlowWrite = { began, ended }
  const added = sql`(${settings.value}::jsonb || ${JSON.stringify([write])}::text::jsonb)`
  await db
    .insert(settings)
    .values({ key: KEY, value: JSON.stringify([write]) })
    .onConflictDoUpdate({
      target: settings.key,
      set: {
        value: sql`(select jsonb_agg(write order by at)::text from (
          select write, at from jsonb_array_elements(${added}) with ordinality writes (write, at)
          order by at desc limit ${KEPT}) newest)`,
      },
    })
}

/**
 * Returns the time from which a client must read changes. The client then receives all changes of slow transactions.
 * @param since value of the query parameter `updated_since` that the client sent
 */
export async function safeSince(db: Db, since: Date): Promise<Date> {
  const [stored] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, KEY))
  if (!stored) return since
  const hidden = (JSON.parse(stored.value) as SlowWrite[]).filter(({ ended }) => ended + COMMIT_MS >= since.getTime())
  return new Date(Math.min(since.getTime(), ...hidden.map(({ began }) => began)))
}
