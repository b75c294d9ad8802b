import { and, asc, eq, getTableColumns } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { passkeys } from '../../../db/schema'
import type { AppContext } from '../context'
import { ownOrigin } from '../http/request'
import type { Write } from '../records/transactions'
import { removeRecord } from '../records/write'
import { Missing } from '../refusals'
import { confirmIdentity } from './confirmation'
import { endPasskeySetups } from './factor-setups'
import { whileSignedIn } from './session-access'
import type { Session } from './sessions'

/**
 * At sign-in, a passkey can replace the code of the second factor. Only an account with an authenticator app can have
 * passkeys. Such an account also has recovery codes, so its user can sign in without JavaScript.
 */

type StoredPasskey = typeof passkeys.$inferSelect
const {
  public_key: _publicKey,
  credential_id: _credentialId,
  counter: _counter,
  origin: _origin,
  ...SHOWN
} = getTableColumns(passkeys)
export type Passkey = Omit<StoredPasskey, 'public_key' | 'credential_id' | 'counter' | 'origin'>

/** The id of a passkey in Base64url. WebAuthn limits an id to 1,023 bytes, or 1,364 characters. */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/
/**
 * Maximum length of a passkey credential as JSON. A credential can contain certificates, and verifying a long list of
 * certificates would block the server for seconds.
 */
export const CREDENTIAL_LIMIT = 12_000
export const isCredentialId = (id: unknown): id is string => typeof id === 'string' && CREDENTIAL_ID.test(id)

/** The site that a passkey belongs to. Browsers use a passkey only on the host name `id`. */
export type Site = { origin: string; id: string }

export function siteOf(request: Request, config: AppContext['config']): Site {
  const origin = ownOrigin(request, config)
  return { origin, id: origin && new URL(origin).hostname }
}

export const ofUser = (db: Db, user_id: number) =>
  db
    .select({ credential_id: passkeys.credential_id, transports: passkeys.transports, origin: passkeys.origin })
    .from(passkeys)
    .where(eq(passkeys.user_id, user_id))

/**
 * Returns true if a passkey was added on this site. The port must be the same, too. Browsers compare only host names,
 * but another program can run on another port of the same host. A passkey without a stored origin is accepted on every
 * site.
 */
export const isOfSite = ({ origin }: Pick<StoredPasskey, 'origin'>, site: Site) =>
  origin === null || origin === site.origin

export const described = (stored: Awaited<ReturnType<typeof ofUser>>) =>
  stored.map(({ credential_id, transports }) => ({ id: credential_id, transports }))

export const listPasskeys = (db: Db, user_id: number): Promise<Passkey[]> =>
  db.select(SHOWN).from(passkeys).where(eq(passkeys.user_id, user_id)).orderBy(asc(passkeys.id))

/** @throws Refused when the password must be confirmed first, Missing when the account has no such passkey */
export async function removePasskey(
  ctx: AppContext,
  write: Write,
  session: Session,
  id: number,
  password: string | undefined,
): Promise<void> {
  await confirmIdentity(ctx, session, password)
  await whileSignedIn(write, session, async (write) => {
    const own = and(eq(passkeys.id, id), eq(passkeys.user_id, session.user.id))
    if ((await write.db.$count(passkeys, own)) === 0) throw new Missing('Passkey')
    await removeRecord(write, passkeys, id, 'Passkey')
    await endPasskeySetups(write.db, session.user.id)
  })
}

/** Must run within a transaction. */
export async function removePasskeysOf(write: Write, user_id: number): Promise<void> {
  for (const { id } of await listPasskeys(write.db, user_id)) await removeRecord(write, passkeys, id, 'Passkey')
}
