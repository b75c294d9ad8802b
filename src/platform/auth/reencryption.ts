import { and, eq, isNotNull } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { secondFactors, settings, webhooks } from '../../../db/schema'
import type { AppContext } from '../context'
import type { KeyPurpose } from './keys'
import { seal, unsealOrNull } from './sealing'

/** A column with encrypted secrets. The secrets must stay readable when the signing key is replaced. */
type SecretColumn = { table: PgTable; id: PgColumn; column: PgColumn; name: string; purpose: KeyPurpose }

const SECRET_COLUMNS: SecretColumn[] = [
  {
    table: secondFactors,
    id: secondFactors.id,
    column: secondFactors.secret,
    name: 'secret',
    purpose: 'second factor',
  },
  ...[
    { column: webhooks.secret, name: 'secret' },
    { column: webhooks.old_secret, name: 'old_secret' },
  ].map((column) => ({ table: webhooks, id: webhooks.id, purpose: 'webhook secret' as const, ...column })),
]

type Keys = Pick<AppContext, 'db' | 'config' | 'signingKey' | 'log'>

/**
 * Returns the signing keys that were used before the current key. These are `JWT_SECRET_PREVIOUS` and, if `JWT_SECRET`
 * is set, the key in the database.
 */
export async function previousKeys({
  db,
  config,
  signingKey,
}: Pick<AppContext, 'db' | 'config' | 'signingKey'>): Promise<string[]> {
  const [stored] = await db.select({ key: settings.value }).from(settings).where(eq(settings.key, 'signing_key'))
  return [config.previousJwtSecret, stored?.key].filter(
    (key) => typeof key === 'string' && key !== signingKey,
  ) as string[]
}

/**
 * Encrypts the stored secrets with the current signing key. The secrets belong to authenticator apps and webhooks. Logs
 * a warning if no known key can decrypt a secret.
 * @returns `changed`: number of secrets that were encrypted again; `unreadable`: number of secrets that no known key
 * can decrypt
 */
export async function reencryptSecrets(ctx: Keys): Promise<{ changed: number; unreadable: number }> {
  const counts = { changed: 0, unreadable: 0 }
  let keys: string[] | undefined
  for (const { table, id, column, name, purpose } of SECRET_COLUMNS) {
    const stored = await ctx.db.select({ id, secret: column }).from(table).where(isNotNull(column))
    for (const { id: record, secret } of stored as { id: number; secret: string }[]) {
      if (unsealOrNull(ctx, purpose, secret) !== null) continue
      keys ??= await previousKeys(ctx)
      const [plain] = keys
        .map((signingKey) => unsealOrNull({ signingKey }, purpose, secret))
        .filter((text) => text !== null)
      if (plain === undefined) counts.unreadable++
      else {
        const isSame = and(eq(id, record), eq(column, secret))
        await ctx.db
          .update(table)
          .set({ [name]: seal(ctx, purpose, plain) })
          .where(isSame)
        counts.changed++
      }
    }
  }
  if (counts.changed > 0)
    ctx.log('info', 'encrypted stored secrets with the new signing key', { count: counts.changed })
  if (counts.unreadable > 0)
    ctx.log(
      'warn',
      'stored secrets of authenticator apps or webhooks cannot be decrypted: set JWT_SECRET_PREVIOUS to the previous ' +
        'JWT_SECRET and restart',
      { count: counts.unreadable },
    )
  return counts
}
