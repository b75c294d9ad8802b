import { sql } from 'drizzle-orm'
import { migrate } from '../../db/migrate'
import { openServer } from '../../db/server'
import { fillLargeFleet } from '../support/large-fleet'
import { startPostgres } from '../support/postgres-server'

/** Starts a Postgres server with the large fleet. `moving.ids` are active transports to change. */
export async function largeServer() {
  const pg = await startPostgres()
  const database = openServer(pg.url)
  await migrate(database.db)
  await fillLargeFleet(database, new Date().toISOString().slice(0, 10))
  await database.db.execute(sql`vacuum analyze`)
  const [moving] = (await database.db.execute(
    sql`select array_agg(id) as ids from (select id from transports where status <> 'Delivered' order by id
      limit 512) t`,
  )) as unknown as [{ ids: number[] }]
  const stop = async () => {
    await database.close()
    await pg.stop()
  }
  return { url: pg.url, moving, stop }
}
