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
    query: async ({ text, values }: { text: string; values: unknown[] }) => ({ rows: await database.raw(text, values) }),
  }
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({ storeClient, storeType: 'client', tableName: 'rate_limits', tableCreated: true, keyPrefix, points, duration: WINDOW_SECONDS })
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
  const keyOf = (username: string) => new Bun.CryptoHasher('sha256').update(username.toLowerCase()).digest('hex')

  return {
    /** @throws RateLimited after too many failures */
    async count(username: string, address: string) {
      await count(byAddress, address)
      await count(byUsername, keyOf(username))
    },
    /** Guesses at one's own current password count like sign-ins. @throws RateLimited */
    countOwn: (username: string) => count(byUsername, keyOf(`own ${username}`)),
    ownSucceeded: (username: string) => byUsername.delete(keyOf(`own ${username}`)),
    async succeeded(username: string, address: string) {
      await byUsername.delete(keyOf(username))
      await byAddress.reward(address, 1)
    },
  }
}

export type SignInLimits = ReturnType<typeof signInLimits>
