import { and, desc, eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { signIns, users } from '../../../db/schema'
import type { SignInMethod } from '../../../db/vocabulary'
import { browserOf } from '../../../views/session-columns'
import type { AppContext } from '../context'
import { sendMail } from '../mail'
import type { Visitor } from './sessions'

export type SignIn = Pick<
  typeof signIns.$inferSelect,
  'id' | 'at' | 'method' | 'is_accepted' | 'address' | 'user_agent'
>

const LISTED = 25

/** Added to a `from` clause to commit without waiting for the disk. */
const withoutDiskWait = sql`cross join (select set_config('synchronous_commit', 'off', true)) as durability`

/**
 * Records a sign-in or a failed attempt for the account's owner. For an unknown username, nothing is stored, but the
 * call must take the same time. Otherwise, the duration would reveal which accounts exist. An entry for a failed
 * attempt is therefore committed without waiting for the disk.
 * @param replaced id of an earlier entry of the same sign-in; this entry is deleted
 * @returns the id of the new entry, or null for an unknown username
 */
export async function recordSignIn(
  db: Db,
  username: string,
  { address, userAgent }: Visitor,
  { at, method, isAccepted }: { at: Date; method: SignInMethod; isAccepted: boolean },
  replaced: number | null = null,
): Promise<number | null> {
  const [entry] = await rows<{ id: number }>(
    db,
    sql`
    with replaced as (delete from ${signIns} where ${signIns.id} = ${replaced})
    insert into ${signIns} (user_id, at, method, is_accepted, address, user_agent)
    select ${users.id}, ${at.toISOString()}::timestamptz, ${method}, ${isAccepted}, ${address.slice(0, 64)},
      ${userAgent?.slice(0, 300) ?? null}
    from ${users} ${isAccepted ? sql.empty() : withoutDiskWait} where lower(${users.username}) = lower(${username})
    returning id`,
  )
  return entry?.id ?? null
}

/**
 * Lists the newest accepted sign-ins and the newest failed sign-ins. Each group has its own limit, so that failed
 * sign-ins cannot displace accepted ones.
 */
export async function listSignIns(db: Db, user_id: number): Promise<SignIn[]> {
  const { id, at, method, is_accepted, address, user_agent } = signIns
  const newest = (isAccepted: boolean) =>
    db
      .select({ id, at, method, is_accepted, address, user_agent })
      .from(signIns)
      .where(and(eq(signIns.user_id, user_id), eq(is_accepted, isAccepted)))
      .orderBy(desc(id))
      .limit(LISTED)
  const [accepted, failed] = await Promise.all([newest(true), newest(false)])
  return [...accepted, ...failed].sort((a, b) => b.id - a.id)
}

/**
 * Returns whether a sign-in comes from a new device. A device is new if the account has no earlier accepted sign-in
 * from the same browser and address. For single sign-on, only the browser is compared, because the provider itself
 * monitors addresses.
 */
export async function isNewDevice(
  db: Db,
  username: string,
  { address, userAgent }: Visitor,
  method: SignInMethod,
): Promise<boolean> {
  const [earlierSignIn] = await db
    .select({ id: signIns.id })
    .from(signIns)
    .innerJoin(users, eq(users.id, signIns.user_id))
    .where(
      and(
        sql`lower(${users.username}) = lower(${username})`,
        signIns.is_accepted,
        sql`${signIns.user_agent} is not distinct from ${userAgent?.slice(0, 300) ?? null}`,
        method === 'password' ? eq(signIns.address, address.slice(0, 64)) : undefined,
      ),
    )
    .limit(1)
  return earlierSignIn === undefined
}

/**
 * Returns the name of the browser. For other programs, returns only the first word of the user agent, because an
 * attacker can choose that text.
 */
function programName(userAgent: string | null): string {
  const name = browserOf(userAgent)
  return userAgent?.startsWith(name) ? (/^[\w.-]{1,30}/.exec(name)?.[0] ?? 'Unknown') : name
}

type Owner = { username: string; email: string | null; last_login: Date | null }

/**
 * Mails the account's owner about a sign-in from a new device. Slow or failed mail does not delay or prevent the
 * sign-in.
 */
export function mailNewDevice({ config, clock, log }: AppContext, owner: Owner, { address, userAgent }: Visitor): void {
  if (!config.mail || !owner.email) return
  const at = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: clock.timeZone })
  void sendMail(config.mail, {
    to: owner.email,
    subject: 'New sign-in to Yardmaster',
    text: [
      `Your account ${owner.username} was used to sign in on a new device.`,
      '',
      `Time: ${at.format(clock.now())}`,
      `Address: ${address}`,
      `Browser: ${programName(userAgent)}`,
      '',
      'If this was not you, change your password and tell an administrator.',
    ].join('\n'),
  }).catch((error) => log('warn', 'the mail about a new device could not be sent', { error: String(error) }))
}
