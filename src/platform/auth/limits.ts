import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../../db/client'
import { RateLimited, SignedOut } from '../refusals'
import { networkOf } from './network'
import { type Attempt, passwordChecks } from './password-checks'
import { type Session, signInOf } from './sessions'

const WINDOW_SECONDS = 15 * 60
/**
 * Maximum numbers of failed sign-ins in 15 minutes. A known device is a browser that has signed in to the account
 * before. It has its own count, so that attempts from unknown devices cannot lock out the known device.
 */
const LIMITS = {
  /** Limit for one account on one known device. */
  device: 10,
  /** Limit for one account from one IP address. */
  pair: 10,
  /** Limit for all accounts together from one IP address. */
  address: 50,
  /** Limit for one account from all IP addresses together. It slows down distributed attacks. */
  account: 100,
  /**
   * Limit for wrong second-factor codes of one account. Only codes that are sent after a correct password are counted.
   * When the limit is reached, only known devices can enter a code.
   */
  code: 20,
  /** Limit for responses from the single sign-on provider, for one sign-on. */
  callback: 3,
}

/** `expire` is the end of the time window, in milliseconds since 1970. */
type Count = { points: number; expire: number }
const NO_STEPS: Count = { points: 0, expire: 0 }

/** `device` is the id of a browser that has signed in before. */
type SignedIn = Pick<Session, 'id' | 'first_id' | 'user'>
type CallbackOrigin = { address: string; device: string | null }

const callbackKey = ({ address, device }: CallbackOrigin) => (device ? digest(device) : networkOf(address))

const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 32)

/**
 * Counts failed sign-ins in the database, which all server instances share. Each attempt is counted before its password
 * is checked, so that parallel guesses cannot exceed the limit. If the sign-in succeeds, the attempt is removed from
 * the counts.
 */
export function signInLimits(database: Database) {
  const storeClient = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const rows = await database.raw(text, values)
      return { rows, rowCount: rows.length }
    },
  }
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration: WINDOW_SECONDS,
    })
  const byDevice = limiter('device', LIMITS.device)
  const byPair = limiter('pair', LIMITS.pair)
  const byAddress = limiter('address', LIMITS.address)
  const byAccount = limiter('account', LIMITS.account)
  const byOwner = limiter('own', LIMITS.pair)
  const byCode = limiter('code', LIMITS.code)
  const byCallback = limiter('callback', LIMITS.callback)
  const bySuccess = limiter('callback-success', 1)
  const byNetwork = limiter('callbacks', LIMITS.address)
  const bySetup = limiter('setup', LIMITS.pair)
  /**
   * Counts sign-ins with a correct password that still lack the second-factor code. When the user enters a correct
   * code, these sign-ins are subtracted from the counts of failed sign-ins.
   */
  const byFirstStep = limiter('first', Number.MAX_SAFE_INTEGER)

  const count = async (limit: RateLimiterPostgres, key: string) => {
    try {
      await limit.consume(key)
    } catch (error) {
      if (error instanceof RateLimiterRes) throw new RateLimited(Math.max(1, Math.ceil(error.msBeforeNext / 1000)))
      throw error
    }
  }
  const isWithin = (limit: RateLimiterPostgres, key: string) =>
    count(limit, key).then(
      () => true,
      (error) => {
        if (error instanceof RateLimited) return false
        throw error
      },
    )
  /**
   * Removes one attempt from a count. The count never falls below zero, even if two sign-ins succeed at the same time.
   * The last parameter is a number of earlier sign-ins without a second-factor code (see `byFirstStep`). If they are in
   * the same time window, they are subtracted too.
   */
  const takeBack = ({ keyPrefix }: RateLimiterPostgres, key: string, { points, expire }: Count = NO_STEPS) =>
    database.raw(
      `update rate_limits set points = greatest(points - 1 - case when expire <= $3::bigint then $2::int else 0 end, 0)
        where key = $1`,
      [`${keyPrefix}:${key}`, points, expire],
    )
  /**
   * Deletes a count and returns it. Of two simultaneous sign-ins, only one gets the count. Returns 0 points if the time
   * window of the count has passed.
   */
  const takeAll = async ({ keyPrefix }: RateLimiterPostgres, key: string): Promise<Count> => {
    const [deleted] = await database.raw('delete from rate_limits where key = $1 returning points, expire', [
      `${keyPrefix}:${key}`,
    ])
    const expire = Number(deleted?.expire ?? 0)
    return expire > Date.now() ? { points: Number(deleted?.points), expire } : NO_STEPS
  }
  /**
   * Returns the keys under which failed sign-ins of an account are counted. `account` is a hash of the lowercase
   * username. Postgres converts the name, because JavaScript converts some letters differently.
   * `device` is a hash of the username, the password hash, and the time at which the second factor was turned on. If
   * the password or the second factor changes, no device is a known device any more. `signOnDevice` is for devices with
   * a single sign-on. They are not known devices for the password. Otherwise, a person who is signed in at the provider
   * could guess the password with any number of devices.
   */
  const keysOf = async (username: string) => {
    const [stored] = await database.raw(
      `select lower($1::text) as name, u.password_hash as hash, extract(epoch from f.confirmed_at)::text as factor
        from (select) one left join users u on lower(u.username) = lower($1::text)
        left join second_factors f on f.user_id = u.id`,
      [username],
    )
    const { name, hash, factor } = stored ?? {}
    return {
      account: digest(String(name)),
      device: digest(`${name} ${hash} ${factor ?? ''}`),
      signOnDevice: digest(`${name} single sign-on`),
    }
  }
  const accountOf = async (username: string) => (await keysOf(username)).account
  /**
   * Returns the key under which attempts of a signed-in user are counted. All single sign-ons of an account share a
   * key, because a person who is signed in at the provider can start any number of them.
   */
  const ownKey = async (session: SignedIn) => {
    const [stored] = await database.raw('select method from sessions where id = $1', [session.id])
    const signIn = stored?.method === 'single_sign_on' ? 'single sign-on' : digest(signInOf(session))
    return { key: `${await accountOf(session.user.username)}:${signIn}`, isOpen: stored !== undefined }
  }

  const setupKey = async (session: SignedIn) => `${await accountOf(session.user.username)}:${digest(signInOf(session))}`

  return {
    ...passwordChecks(),
    keysOf,
    async count({ account, address, device }: Attempt) {
      if (device) {
        const key = `${account}:${device}`
        return count(byDevice, key).catch(async (error) => {
          await takeBack(byDevice, key)
          throw error
        })
      }
      const network = networkOf(address)
      // Check the limit of the network first. Otherwise, a blocked network would add a row to `rate_limits` for each
      // username that it tries.
      const usage = await byAddress.get(network)
      if (usage && usage.consumedPoints >= LIMITS.address)
        throw new RateLimited(Math.max(1, Math.ceil(usage.msBeforeNext / 1000)))
      const limits: [RateLimiterPostgres, string][] = [
        [byPair, `${account}:${digest(network)}`],
        [byAccount, account],
        [byAddress, network],
      ]
      for (const [at, [limit, key]] of limits.entries())
        await count(limit, key).catch(async (error) => {
          // The password of this attempt is not checked, so remove the attempt from all counts. Otherwise, many correct
          // sign-ins at the same time could lock out a network.
          for (const [counted, ownKey] of limits.slice(0, at + 1)) await takeBack(counted, ownKey)
          throw error
        })
    },
    async succeeded({ account, address, device }: Attempt) {
      if (device) return byDevice.delete(`${account}:${device}`)
      const network = networkOf(address)
      const pair = `${account}:${digest(network)}`
      const firstSteps = await takeAll(byFirstStep, pair)
      await byPair.delete(pair)
      await takeBack(byAddress, network, firstSteps)
      await takeBack(byAccount, account, firstSteps)
    },
    /** Removes an attempt from all counts if its password was not checked, or the database was not available. */
    async notCompleted({ account, address, device }: Attempt, isCodeCounted: boolean) {
      if (isCodeCounted) await takeBack(byCode, account)
      if (device) return void (await takeBack(byDevice, `${account}:${device}`))
      const network = networkOf(address)
      await takeBack(byPair, `${account}:${digest(network)}`)
      await takeBack(byAccount, account)
      await takeBack(byAddress, network)
    },
    /** Records a correct password for which the second-factor code is still missing. */
    async countFirstStep({ account, address, device }: Attempt) {
      if (!device) await byFirstStep.penalty(`${account}:${digest(networkOf(address))}`, 1)
    },
    /**
     * Counts a second-factor code as wrong before it is checked. Therefore, parallel guesses cannot exceed the limit.
     * If the code is right or was not checked, the caller must call `codeNotWrong` to remove it from the count.
     * @throws RateLimited on an unknown device after too many wrong codes
     */
    async countCode({ account, device }: Pick<Attempt, 'account' | 'device'>) {
      if (device) await byCode.penalty(account, 1)
      else
        await count(byCode, account).catch(async (error) => {
          // This request is refused before its code is checked, so remove the code from the count.
          await takeBack(byCode, account)
          throw error
        })
    },
    codeNotWrong: async ({ account }: Pick<Attempt, 'account'>) => void (await takeBack(byCode, account)),
    /**
     * Counts an attempt by a signed-in user to enter their current password. Each sign-in with a password has its own
     * count. Otherwise, somebody with a stolen session could use up the attempts of the owner, who then could not
     * change the password.
     * @throws RateLimited after too many attempts. The limit is `LIMITS.pair`, as for sign-ins to one account from one
     * address. SignedOut when the session has ended, because its attempts would not share the right count.
     */
    async countOwn(session: SignedIn) {
      const { key, isOpen } = await ownKey(session)
      if (!isOpen) throw new SignedOut()
      await count(byOwner, key)
    },
    ownSucceeded: async (session: SignedIn) => byOwner.delete((await ownKey(session)).key),
    /**
     * Removes a password attempt from the count. Called if a request only repeats an earlier request, because a
     * repeated request does not try another password.
     */
    ownRepeated: async (session: SignedIn) => void (await takeBack(byOwner, (await ownKey(session)).key)),
    /**
     * Counts an attempt to finish the setup of a second factor. Each sign-in has its own count, because it
     * confirms only its own setup. Wrong passwords are counted separately, because a correct code must not clear their
     * count.
     */
    countSetup: async (session: SignedIn) => count(bySetup, await setupKey(session)),
    /**
     * Counts a response from the single sign-on provider that contains an authorization code. The browser delivers the
     * response in a request. The number is limited, because each code makes the program send a request to the provider.
     * Known devices have their own counts, so that other people on the same network cannot block them.
     * @returns `refused` after too many responses for one sign-on, `limited` after too many failed responses from one
     * network, or null
     */
    async countCallback(state: string, origin: CallbackOrigin): Promise<'refused' | 'limited' | null> {
      // Check the network first. Otherwise, a blocked network would add a row to `rate_limits` for each sign-on.
      const usage = await byNetwork.get(callbackKey(origin))
      if (usage && usage.consumedPoints >= LIMITS.address) return 'limited'
      if (!(await isWithin(byCallback, digest(state)))) return 'refused'
      return (await isWithin(byNetwork, callbackKey(origin))) ? null : 'limited'
    },
    /**
     * Removes a response of the provider from the count for the network. Call this function if the response was valid
     * or if the provider was unreachable, because this limit applies only to failed responses.
     */
    callbackNotFailed: async (origin: CallbackOrigin) => void (await takeBack(byNetwork, callbackKey(origin))),
    /**
     * Refuses further responses for a sign-on that has succeeded, even if the provider accepts its code again.
     * @returns false if another response for the same sign-on has succeeded at the same time
     */
    async callbackSucceeded(state: string): Promise<boolean> {
      await byCallback.penalty(digest(state), LIMITS.callback)
      return isWithin(bySuccess, digest(state))
    },
    setupSucceeded: async (session: SignedIn) => bySetup.delete(await setupKey(session)),
    /** @returns whether the account had failed sign-ins */
    async unlock(username: string): Promise<boolean> {
      const account = await accountOf(username)
      const keys = [byDevice, byPair, byAccount, byOwner, byCode, bySetup].map(
        ({ keyPrefix }) => `${keyPrefix}:${account}%`,
      )
      const deleted = await database.raw(
        'delete from rate_limits where key like any($1::text[]) and points > 0 returning key',
        [`{${keys.join(',')}}`],
      )
      return deleted.length > 0
    },
  }
}

export type SignInLimits = ReturnType<typeof signInLimits>
