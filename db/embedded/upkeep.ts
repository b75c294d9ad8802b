import type { Row } from '../client'

/**
 * Size of the write-ahead log above which a checkpoint runs.
 * Unlike a Postgres server, the embedded database runs no checkpoints in the background. Its log would grow until the
 * database is closed.
 */

const LOG_LIMIT_BYTES = 64 * 1024 * 1024
/**
 * Limits above which a table is vacuumed (`DEAD_ROWS`) or analyzed (`CHANGED_ROWS`). The embedded database has no
 * autovacuum, so the program runs both commands itself.
 * A tenth of the table's rows is added to each limit. For example, a table of 10,000 rows is vacuumed above 1500 dead
 * rows.
 */
const DEAD_ROWS = 500
const CHANGED_ROWS = 500

/**
 * Table of the staged rows of imports. It can have millions of rows for a short time, and other requests would wait for
 * seconds while it is vacuumed. It is therefore vacuumed later than other tables, and truncated if it is empty.
 */
const STAGED = 'upload_rows'
const DEAD_STAGED_ROWS = 200_000

type Raw = (statement: string, values: unknown[]) => Promise<Row[]>

/**
 * Runs maintenance of the embedded database if it is due.
 * Each call runs at most one checkpoint, and a vacuum or an analyze of one table.
 * @returns the steps that ran
 */
export async function keepUp(raw: Raw): Promise<string[]> {
  const done: string[] = []
  const [log] = await raw('select (pg_current_wal_lsn() - redo_lsn)::text as bytes from pg_control_checkpoint()', [])
  if (Number(log?.bytes) > LOG_LIMIT_BYTES) {
    await raw('checkpoint', [])
    done.push('checkpoint')
  }
  const [worst] = await raw(
    `select relname as name, is_dirty from pg_stat_user_tables cross join lateral (select n_dead_tup >
       case relname when '${STAGED}' then ${DEAD_STAGED_ROWS} + n_live_tup else ${DEAD_ROWS} + n_live_tup / 10 end
       as is_dirty) d
     where is_dirty or n_mod_since_analyze > ${CHANGED_ROWS} + n_live_tup / 10
     order by is_dirty desc, n_dead_tup desc, n_mod_since_analyze desc limit 1`,
    [],
  )
  if (worst) {
    const step = worst.is_dirty ? await cleaning(raw, String(worst.name)) : `analyze "${worst.name}"`
    await raw(step, [])
    done.push(step)
  }
  return done
}

async function cleaning(raw: Raw, table: string): Promise<string> {
  const [row] = table === STAGED ? await raw(`select 1 from ${STAGED} limit 1`, []) : [true]
  return row ? `vacuum (analyze) "${table}"` : `truncate "${table}"`
}
