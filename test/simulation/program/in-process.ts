import type { Elysia } from 'elysia'
import type { Database } from '../../../db/client'
import { sessions } from '../../../db/schema'
import { openServer } from '../../../db/server'
import { businessClock, type Clock } from '../../../src/platform/clock'
import { appWith, SERVER_URL, testContext } from '../../support/context'
import { type Program, readResponse, requestOf, type StartProgram } from './program'

const ORIGIN = 'http://localhost'
const HOUR_MS = 3_600_000

/** Clock of the current run. The instances are shared by all runs, because registering the routes is slow. */
let zone = businessClock('UTC')
let instances: Elysia[] | undefined
let second: Database | undefined

function startInstances({ ctx, clock }: Awaited<ReturnType<typeof testContext>>): Elysia[] {
  const ownClock: Clock = {
    now: clock.now,
    today: () => zone.today(),
    get timeZone() {
      return zone.timeZone
    },
  }
  if (SERVER_URL) second = openServer(SERVER_URL)
  // Copied, because the program runs the imports of one database with one clock.
  const databases = [{ ...ctx.database }, ...(second ? [second] : [])]
  return databases.map((database) => appWith(ctx, { clock: ownClock, database, db: database.db }).app)
}

/**
 * Starts the program in this process, on an empty database. On a Postgres server, a second instance has its own
 * connections. Its clock stands still, and it cannot be killed.
 */
export const startInProcess: StartProgram = async ({ timeZone, now }) => {
  const context = await testContext()
  const { ctx, clock, cast } = context
  zone = businessClock(timeZone, clock.now)
  const apps = instances ?? startInstances(context)
  instances = apps
  const token = (await cast.ada.token()) ?? ''
  let calls = 0
  const program: Program = {
    isClockRunning: false,
    send: async (call) => {
      const app = apps[calls++ % apps.length] as Elysia
      return readResponse(await app.handle(requestOf(call, ORIGIN, token)))
    },
    async setTime(to) {
      clock.set(to)
      const expires_at = new Date(to.getTime() + HOUR_MS)
      await ctx.db.update(sessions).set({ last_seen_at: to, expires_at, authenticated_at: to })
    },
    close: async () => {},
  }
  await program.setTime(now)
  return program
}

/** Closes the connections of the second instance. */
export async function closeSecondInstance() {
  await second?.close()
  second = undefined
  instances = undefined
}
