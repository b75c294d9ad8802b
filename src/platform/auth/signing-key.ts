import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { settings } from '../../../db/schema'

/** The signing key that every instance shares: made once, by whoever comes first. */
export async function sharedSigningKey(db: Db): Promise<string> {
  const made = Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64url')
  await db.insert(settings).values({ key: 'signing_key', value: made }).onConflictDoNothing()
  const [stored] = await db.select().from(settings).where(eq(settings.key, 'signing_key'))
  return stored!.value
}
