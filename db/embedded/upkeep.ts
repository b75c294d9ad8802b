import type { Row } from '../client'

/**
 * What a Postgres server does in background processes, which an embedded one does not have: without checkpoints its log
 * grows until it is closed, and without vacuum every change leaves its old row behind for ever.
 */

const LOG_LIMIT_BYTES = 64 * 1024 * 1024
/** As autovacuum judges by default: a fixed number and a share of the table, here a tenth. */
const DEAD_ROWS = 500
const CHANGED_ROWS = 500

type Raw = (statement: string, values: unknown[]) => Promise<Row[]>

/** Does what is due: at most a checkpoint and one table. @returns what it did */
export async function keepUp(raw: Raw): Promise<string[]> {
  const done: string[] = []
  const [log] = await raw('select (pg_current_wal_lsn() - redo_lsn)::text as bytes from pg_control_checkpoint()', [])
  if (Number(log?.bytes) > LOG_LIMIT_BYTES) {
    await raw('checkpoint', [])
    done.push('checkpoint')
  }
  const [worst] = await raw(
    `select relname as name, n_dead_tup > ${DEAD_ROWS} + n_live_tup / 10 as is_dirty from pg_stat_user_tables
     where n_dead_tup > ${DEAD_ROWS} + n_live_tup / 10 or n_mod_since_analyze > ${CHANGED_ROWS} + n_live_tup / 10
     order by n_dead_tup desc, n_mod_since_analyze desc limit 1`,
    [],
  )
  if (worst) {
    const step = `${worst.is_dirty ? 'vacuum (analyze)' : 'analyze'} "${worst.name}"`
    await raw(step, [])
    done.push(step)
  }
  return done
}
