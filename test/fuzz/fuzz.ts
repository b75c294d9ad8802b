import type { Elysia } from 'elysia'
import fc from 'fast-check'
import { users } from '../../db/schema'
import { openSession } from '../../src/platform/auth/sessions'
import type { AppContext } from '../../src/platform/context'
import { testContext } from '../support/context'
import { Visitor } from '../support/visitor'
import { type Attempt, attempt, requestOf, shown } from './requests'

/** Returns a token of an administrator whose id no generated request contains by chance. */
async function lastingToken({ app, ctx }: { app: Elysia; ctx: AppContext }): Promise<string> {
  await ctx.db.insert(users).values({ id: 7_654_321, username: 'zoe', password_hash: 'none', role: 'admin' })
  const session = await openSession(ctx.db, 7_654_321, { address: '127.0.0.1', userAgent: null }, ctx.clock.now())
  return (await new Visitor(app, ctx, session).token()) as string
}

/** `path` repeats one attempt of a seed. Time limits: `limitMs` for a response, `withinMs` for all attempts. */
type Options = { count: number; seed: number; path?: string | undefined; limitMs?: number; withinMs?: number }

/**
 * Sends generated requests to a program with its own database.
 * @returns the first request that fails, shrunk, with the arguments that repeat it, or null. Failures are a status of
 * 500 or more, a timeout and an invalid response.
 */
export async function fuzz({ count, seed, path, limitMs = 2000, withinMs }: Options) {
  const h = await testContext()
  await h.cast.ben.post('/transports', {
    unit_number: '100200',
    location_out_id: 1,
    location_in_id: 2,
    move_date: '2026-03-10',
    transport_company_id: 1,
  })
  const statuses = new Map<number, number>()
  let slowest = 0
  const keepsItsPromises = fc.asyncProperty(attempt(h.app, await lastingToken(h)), async (one) => {
    let request: Request
    try {
      request = requestOf(one)
    } catch {
      return fc.pre(false) // `Request` does not accept it.
    }
    const began = performance.now()
    const response = await h.app.handle(request)
    const text = await response.text()
    const ms = performance.now() - began
    slowest = Math.max(slowest, ms)
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    const why = problemOf(response, text, ms, limitMs)
    if (why) throw new Error(why)
  })
  const run = await fc.check(keepsItsPromises, {
    numRuns: count,
    seed,
    ...(path ? { path } : {}),
    ...(withinMs ? { interruptAfterTimeLimit: withinMs, markInterruptAsFailure: true } : {}),
  })
  return { broken: brokenOf(run, count), statuses, slowest, sent: run.numRuns }
}

type Run = Awaited<ReturnType<typeof fc.check<[Attempt]>>>

function brokenOf(run: Run, count: number) {
  if (!run.failed) return null
  const again = `bun run fuzz ${count} ${run.seed}`
  const [one] = run.counterexample ?? []
  if (!one)
    return { name: 'all of them', what: '', why: run.interrupted ? 'took too long' : 'too few were sent', again }
  const why = run.errorInstance instanceof Error ? run.errorInstance.message : String(run.errorInstance)
  // With its path, the attempt is sent alone. Without it, all earlier attempts are sent first.
  return { name: one.name, what: shown(one), why, again: `${again} ${run.counterexamplePath ?? ''}` }
}

function problemOf(response: Response, text: string, ms: number, limitMs: number): string | null {
  const { status, headers } = response
  if (status >= 500) return `status ${status}: ${text.slice(0, 200)}`
  if (ms > limitMs) return `took ${Math.round(ms)} ms`
  if (
    /\bat .+\.tsx?:\d+|node_modules|DrizzleQueryError|PostgresError|select "/.test(text.slice(0, 5000)) &&
    status >= 400
  )
    return `tells of its insides: ${text.slice(0, 200)}`
  if (!headers.get('x-content-type-options')) return 'has no security headers'
  if (text && status >= 400 && headers.get('content-type')?.includes('json')) {
    const body = JSON.parse(text) as { success?: unknown; message?: unknown }
    if (body.success !== false || typeof body.message !== 'string')
      return `is not a failure in the words of the contract: ${text.slice(0, 200)}`
  }
  return null
}
