import { and, eq, not, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import { externalIdentities, users } from '../../../db/schema'
import type { AppContext } from '../context'
import { inTransaction, type Write } from '../records/transactions'
import { changeRecord, createRecord, removeRecord } from '../records/write'
import { Refusal } from '../refusals'
import { hasOtherAdministrator, lockAdministrators } from './administrators'
import { canUsePassword } from './confirmation'
import { endSessionsOf } from './ending-sessions'
import { NO_PASSWORD } from './passwords'
import type { Person } from './person'
import { renewSession } from './session-renewal'
import { openSession, type Visitor } from './sessions'
import { isNewDevice, mailNewDevice, recordSignIn } from './sign-in-log'
import { revokeTokensOf } from './tokens'
import { newUsername, normalizeUsername } from './usernames'

export type SignOnProblem = 'no-account' | 'taken' | 'inactive' | 'no-username' | 'similar'

type StoredUser = typeof users.$inferSelect
type Opened = { session: string; account: StoredUser }

/**
 * Opens a session for a person whom the provider has identified.
 * 1. Uses the account that is linked to the person.
 * 2. Otherwise, links the account with the same username, if it allows single sign-on and has no link to another
 * person.
 * 3. Otherwise, creates an account, if the settings allow this and no account has the username.
 * An email address never selects an account, because many providers let people change their email address.
 * @throws Refusal (507) when an account must be created or changed on a full disk
 */
export async function signOn(ctx: AppContext, person: Person, visitor: Visitor): Promise<Opened | SignOnProblem> {
  const now = ctx.clock.now()
  return inTransaction(writeFor(ctx, visitor, null), async ({ db: tx }) => {
    // The lock ensures that at least one administrator stays active. It also serializes two simultaneous first sign-ons
    // of the same person.
    await lockAdministrators(tx)
    const writeAs = (username: string) => ({ ...writeFor(ctx, visitor, username), db: tx })
    const found = (await ownAccount(tx, person)) ?? (await accountToLink(ctx, writeAs, person))
    if (typeof found === 'string') return found
    if (!found.is_active) return 'inactive'
    const write = writeAs(found.username)
    const account = await withRole(ctx, write, await withoutTemporaryPassword(ctx, write, found), person)
    const isNew = await isNewDevice(tx, account.username, visitor, 'single_sign_on')
    await recordSignIn(tx, account.username, visitor, { at: now, method: 'single_sign_on', isAccepted: true })
    await tx.update(users).set({ previous_login: account.last_login, last_login: now }).where(eq(users.id, account.id))
    // Sensitive changes depend on when the person last entered credentials at the provider. The current time would be
    // wrong, because a provider that remembers the person does not ask for credentials.
    const authenticated = new Date(Math.min(now.getTime(), person.authenticated?.getTime() ?? 0))
    if (isNew && account.last_login) mailNewDevice(ctx, account, visitor)
    return {
      session: await openSession(tx, account.id, visitor, now, { authenticated, method: 'single_sign_on' }),
      account,
    }
  })
}

const writeFor = ({ db, clock }: AppContext, { address }: Visitor, username: string | null): Write => ({
  db,
  clock,
  actor: { username, source: 'screen', address, now: clock.now() },
})

/**
 * Confirms a session after another sign-in at the provider. Also updates the account's role from the groups that the
 * provider sent.
 * @returns the new session, or null if the session belongs to another person or has ended
 */
export async function confirmSignOn(
  ctx: AppContext,
  session: { id: string; user: { id: number; username: string } },
  person: Person,
  visitor: Visitor,
): Promise<string | null> {
  const { id, username } = session.user
  const isOwn = await inTransaction(writeFor(ctx, visitor, username), async (write) => {
    await lockAdministrators(write.db)
    const own = await ownAccount(write.db, person)
    if (own?.id !== id) return false
    await withRole(ctx, write, own, person)
    return true
  })
  const how = { isConfirmed: true, method: 'single_sign_on' } as const
  return isOwn ? renewSession(ctx.db, session.id, visitor, ctx.clock.now(), how) : null
}

async function ownAccount(db: Db, { issuer, subject }: Person): Promise<StoredUser | undefined> {
  const [own] = await db
    .select({ user: users })
    .from(externalIdentities)
    .innerJoin(users, eq(users.id, externalIdentities.user_id))
    .where(
      and(
        eq(externalIdentities.issuer, issuer),
        eq(externalIdentities.subject, subject),
        // A deactivated account keeps its link, so that the person cannot get a new account.
        or(eq(users.single_sign_on, true), not(users.is_active)),
      ),
    )
  return own?.user
}

const LOOKALIKES: Record<string, string> = {
  a: 'аα',
  b: 'вß',
  c: 'с',
  d: 'ԁđð',
  e: 'еε',
  h: 'һнħ',
  j: 'ј',
  k: 'кκ',
  l: '1iіιłӏ',
  m: 'м',
  n: 'ηŋ',
  o: '0оοø',
  p: 'рρ',
  q: 'ԛ',
  s: 'ѕ',
  t: 'тτŧ',
  u: 'υ',
  v: 'ѵνỽ',
  w: 'ԝ',
  x: 'хχ',
  y: 'уγỿ',
  σ: 'ς',
  '-': '一ー',
  '3': 'з',
  '6': 'б',
  エ: '工',
  ニ: '二',
  ヘ: 'へ',
  カ: '力',
  ロ: '口',
  タ: '夕',
  ハ: '八',
  ト: '卜',
  チ: '千',
  ミ: '三',
  ي: 'ی',
  ك: 'ک',
}
const ALIKE = Object.values(LOOKALIKES).join('')
const PLAIN = Object.entries(LOOKALIKES)
  .map(([plain, alike]) => plain.repeat(alike.length))
  .join('')
const IGNORED = '.-_@'

/**
 * SQL expression that is equal for usernames that look alike. Examples are `bill`, `BiIl`, `bíll` and `b.i11`. The
 * expression ignores case, accents and punctuation. It does not distinguish `rn` and `m`, `vv` and `w`, `cl` and `d`,
 * or the letters of `LOOKALIKES`.
 */
const lookOf = (username: SQL | AnyPgColumn) =>
  sql`replace(replace(replace(translate(regexp_replace(normalize(lower(${username}), NFD), ${COMBINING_MARKS}, '', 'g'),
    ${ALIKE + IGNORED}, ${PLAIN}), 'rn', 'm'), 'vv', 'w'), 'cl', 'd')`
const COMBINING_MARKS = '[\u0300-\u036f]'

/** Greek sigma has two lower-case forms, which become the same letter. */
const lowerCase = (name: string) => name.toLowerCase().replaceAll('ς', 'σ')

const hasSimilarUsername = async (db: Db, username: string): Promise<boolean> =>
  (await db.$count(users, sql`${lookOf(users.username)} = ${lookOf(sql`${username}::text`)}`)) > 0

async function accountToLink(
  ctx: AppContext,
  writeAs: (username: string) => Write,
  person: Person,
): Promise<StoredUser | SignOnProblem> {
  const username = normalizeUsername(person.username ?? person.verifiedEmail ?? '')
  if (!username) return 'no-username'
  const write = writeAs(username)
  const [named] = await write.db
    .select({ user: users, identity: externalIdentities.id })
    .from(users)
    .leftJoin(externalIdentities, eq(externalIdentities.user_id, users.id))
    .where(sql`lower(${users.username}) = lower(${username})`)
  if (named && (named.identity !== null || !named.user.single_sign_on || person.username === null)) return 'taken'
  // Postgres and JavaScript convert letters such as `İ` to lowercase differently. Accept the account only if the
  // usernames are equal in both.
  if (named && lowerCase(named.user.username) !== lowerCase(username)) return 'similar'
  if (named && !named.user.is_active) return 'inactive'
  if (!named && !ctx.config.oidc?.createsAccounts) return 'no-account'
  // Refuse a username with invisible characters, because it could look like another username. `newUsername` removes
  // such characters, so its result then differs from `username`.
  if (!named && newUsername.safeParse(username).data !== username) return 'no-username'
  if (!named && (await hasSimilarUsername(write.db, username))) return 'similar'
  mustBeWritable(ctx)
  const { first_name, last_name, email, issuer, subject } = person
  const user =
    named?.user ??
    (await createRecord(write, users, {
      username,
      password_hash: NO_PASSWORD,
      first_name,
      last_name,
      email,
      role: 'user',
      single_sign_on: true,
    }))
  await createRecord(writeAs(user.username), externalIdentities, { user_id: user.id, issuer, subject })
  return user
}

/** @throws Refusal (507) on a full disk or with a read-only data folder */
function mustBeWritable({ database, disk, readOnly }: AppContext) {
  if (readOnly) throw new Refusal(507, readOnly)
  if (database.engine === 'embedded') disk.mustHaveRoom(0)
}

/**
 * Removes a temporary password, and a password that the user would have to change. After a single sign-on, the user
 * does not need this password and may not know it.
 * Keeps a password that the user chose, if the account can sign in with passwords.
 * If a password is removed, all sessions end and the API tokens are revoked, as after a password change.
 */
async function withoutTemporaryPassword(ctx: AppContext, write: Write, user: StoredUser): Promise<StoredUser> {
  const isTemporary = user.password_expires_at !== null
  if (!isTemporary && (!user.must_change_password || canUsePassword(ctx, user.username))) return user
  mustBeWritable(ctx)
  const values = { password_hash: NO_PASSWORD, must_change_password: false, password_expires_at: null }
  const { after } = await changeRecord(write, users, { id: user.id, what: 'User', values })
  await endSessionsOf(write.db, user.id)
  await revokeTokensOf(write, user.id)
  return after
}

/**
 * Sets the account's role from the person's groups at the provider. If no administrator group is configured, the role
 * does not change. If the provider sends no groups, the role becomes `user`, because many providers omit the claim for
 * a person without groups.
 */
async function withRole(ctx: AppContext, write: Write, user: StoredUser, { groups }: Person): Promise<StoredUser> {
  const { oidc } = ctx.config
  if (!oidc?.adminGroup) return user
  const role = groups.includes(oidc.adminGroup) ? 'admin' : 'user'
  if (role === user.role) return user
  if (role === 'user' && !(await hasOtherAdministrator(write.db, user.id, oidc))) {
    ctx.log('warn', 'the last administrator is not in the group of administrators', { username: user.username })
    return user
  }
  mustBeWritable(ctx)
  const { after } = await changeRecord(write, users, { id: user.id, what: 'User', values: { role } })
  await endSessionsOf(write.db, user.id)
  await revokeTokensOf(write, user.id)
  return after
}

/** After this, another person can be linked to the account. */
export async function unlinkPerson(write: Write, user_id: number): Promise<void> {
  const [own] = await write.db
    .select({ id: externalIdentities.id })
    .from(externalIdentities)
    .where(eq(externalIdentities.user_id, user_id))
  if (own) await removeRecord(write, externalIdentities, own.id, 'External identity')
}
