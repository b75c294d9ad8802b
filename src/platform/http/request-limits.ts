import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimited } from '../refusals'

const WINDOW_SECONDS = 60

type Headers = Record<string, string | number | undefined>

/**
 * Counts the API requests of each token, to limit them.
 * The counts are in memory, because a database write would double the cost of most requests. Therefore, the limit
 * applies to each server instance separately.
 * @param perMinute allowed requests per token and minute
 */
export function requestLimits(perMinute: number) {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  const policy = `"default";q=${perMinute};w=${WINDOW_SECONDS}`
  const describe = (headers: Headers, { remainingPoints, msBeforeNext }: RateLimiterRes) => {
    headers['ratelimit-policy'] = policy
    headers.ratelimit = `"default";r=${Math.max(0, remainingPoints)};t=${seconds(msBeforeNext)}`
  }
  return {
    async count(token: string, headers: Headers): Promise<void> {
      try {
        describe(headers, await limiter.consume(token))
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        describe(headers, error)
        throw new RateLimited(seconds(error.msBeforeNext))
      }
    },
  }
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

export type RequestLimits = ReturnType<typeof requestLimits>
