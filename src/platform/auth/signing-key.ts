import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { settings } from '../../../db/schema'

/** All server instances share the key that signs session tokens. The first instance creates it. */
export async function sharedSigningKey(db: Db): Promise<string> {
  const newKey = Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64url')
  await db.insert(settings).values({ key: 'signing_key', value: newKey }).onConflictDoNothing()
  const [stored] = await db.select().from(settings).where(eq(settings.key, 'signing_key'))
  return stored!.value
}
