import { type Database, type Db, databaseError, reasonOf } from '../../db/client'
import type { AppContext } from './context'
import type { Log } from './log'

export type ReportSource = {
  db: Db
  /** How far `db` lags behind the primary database, in seconds. Null for the primary database itself. */
  lagSeconds: number | null
}

/** Maximum lag, in seconds, of a replica from which reports are read. */
export const MAX_LAG_SECONDS = 60
/** Maximum time, in milliseconds, to wait until the replica has caught up. */
const REPLAY_TIMEOUT_MS = 1000
const POLL_MS = 50
/** Minimum time between log lines about an unused replica, in milliseconds. */
const LOG_EVERY_MS = 60_000

const CLUSTER = '(select system_identifier::text from pg_control_system()) as cluster'

/**
 * The replica is ahead if the primary restored an older backup.
 * @throws Error when the replica is ahead
 */
async function refuseOtherHistory(primary: Database, replayed: unknown) {
  const [state] = await primary.raw('select $1::pg_lsn > pg_current_wal_lsn() as is_ahead', [replayed])
  if (state?.is_ahead) throw new Error('it has changes that the database does not have')
}

/**
 * Returns the lag of a replica in seconds. Waits up to a second for the replica to catch up. 0 means that the replica
 * has all changes that the primary had when this function was called.
 * @throws Error when a database is not reachable, or `replica` is not a replica of `primary`
 */
export async function replicaLag(primary: Database, replica: Database): Promise<number> {
  const [current] = await primary.raw(`select pg_current_wal_lsn()::text as position, ${CLUSTER}`, [])
  for (const giveUpAt = Date.now() + REPLAY_TIMEOUT_MS; ; await Bun.sleep(POLL_MS)) {
    const [state] = await replica.raw(
      `select pg_is_in_recovery() as is_replica, coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as is_current,
        pg_last_wal_replay_lsn()::text as replayed, ${CLUSTER},
        case when pg_last_xact_replay_timestamp() is not null
          then greatest(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8 end as seconds`,
      [current?.position],
    )
    if (!state?.is_replica) throw new Error('the database is not a replica')
    if (state.cluster !== current?.cluster) throw new Error('it is a replica of another database server')
    if (state.is_current) {
      await refuseOtherHistory(primary, state.replayed)
      return 0
    }
    // `seconds` is null if the replica has replayed no transaction since its start. The lag is then unknown.
    if (Date.now() > giveUpAt) return state.seconds === null ? Number.POSITIVE_INFINITY : Number(state.seconds)
  }
}

export class Replica {
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(
    readonly database: Database,
    readonly log: Log,
  ) {}

  /**
   * Returns the replica, or the primary database as a fallback. The fallback is used if the replica is unreachable or
   * too far behind.
   */
  async source(primary: Database): Promise<ReportSource> {
    let reason: string
    try {
      const lagSeconds = await replicaLag(primary, this.database)
      if (lagSeconds <= MAX_LAG_SECONDS) return { db: this.database.db, lagSeconds: Math.ceil(lagSeconds) }
      reason = Number.isFinite(lagSeconds) ? `it is ${Math.round(lagSeconds)} s behind` : 'it has no changes yet'
    } catch (error) {
      reason = reasonOf(error)
    }
    if (performance.now() - this.#loggedAt >= LOG_EVERY_MS) {
      this.#loggedAt = performance.now()
      this.log('warn', 'the replica for reports is not used', { reason })
    }
    return { db: primary.db, lagSeconds: null }
  }
}

export const reportSource = async ({ database, db, replica }: AppContext): Promise<ReportSource> =>
  replica ? replica.source(database) : { db, lagSeconds: null }

/**
 * Reads a report from the replica if there is one. Otherwise, reads it from the primary database.
 * Falls back to the primary on any database error, for example if a vacuum cancels the statement on the replica.
 */
export async function readReport<T>(
  ctx: AppContext,
  read: (db: Db) => Promise<T>,
): Promise<{ value: T; lagSeconds: number | null }> {
  const { db, lagSeconds } = await reportSource(ctx)
  try {
    return { value: await read(db), lagSeconds }
  } catch (error) {
    if (db === ctx.db || !databaseError(error)) throw error
    ctx.log('warn', 'a report was not read from the replica', { reason: reasonOf(error) })
    return { value: await read(ctx.db), lagSeconds: null }
  }
}
