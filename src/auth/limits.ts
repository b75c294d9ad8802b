import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../db/client'
import { RateLimited } from '../refusals'

const WINDOW_SECONDS = 15 * 60
const PER_USERNAME = 10
const PER_ADDRESS = 50

/**
 * Counts failed sign-ins in the database, so that every instance counts together. A try is counted before the password
 * is checked, so that a hundred guesses at once are not all let through, and taken back when it succeeds.
 */
export function signInLimits(database: Database) {
  const storeClient = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => ({
      rows: await database.raw(text, values),
    }),
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
  const byUsername = limiter('username', PER_USERNAME)
  const byAddress = limiter('address', PER_ADDRESS)

  const count = async (limit: RateLimiterPostgres, key: string) => {
    try {
      await limit.consume(key)
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw new RateLimited(Math.max(1, Math.ceil(refused.msBeforeNext / 1000)))
      throw refused
    }
  }
  /** Folded as the account is looked up: JavaScript's lower case is another one for some letters. */
  const keyOf = async (username: string) => {
    const [folded] = await database.raw('select lower($1::text) as name', [username])
    return new Bun.CryptoHasher('sha256').update(String(folded?.name)).digest('hex')
  }

  return {
    /** @throws RateLimited after too many failures */
    async count(username: string, address: string) {
      await count(byAddress, address)
      await count(byUsername, await keyOf(username))
    },
    /** Guesses at one's own current password count like sign-ins. @throws RateLimited */
    countOwn: async (username: string) => count(byUsername, await keyOf(`own ${username}`)),
    ownSucceeded: async (username: string) => byUsername.delete(await keyOf(`own ${username}`)),
    async succeeded(username: string, address: string) {
      await byUsername.delete(await keyOf(username))
      await byAddress.reward(address, 1)
    },
  }
}

export type SignInLimits = ReturnType<typeof signInLimits>
