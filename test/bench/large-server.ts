import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Database, Db } from '../../db/client'
import { migrate } from '../../db/migrate'
import { openServer } from '../../db/server'
import { type FleetSize, fillLargeFleet } from '../support/large-fleet'
import { startPostgres } from '../support/postgres-server'

/** Fills an empty database with a large fleet. Uses bulk transactions, because the statements exceed the time limit. */
export async function fillFleet(database: Database, size?: FleetSize) {
  const dialect = new PgDialect()
  const transaction = (work: (tx: { execute: (statement: SQL) => Promise<unknown> }) => Promise<void>) =>
    database.bulk('write', (bulk) =>
      work({ execute: (statement) => bulk.run(dialect.sqlToQuery(statement.inlineParams()).sql) }),
    )
  await fillLargeFleet({ transaction } as unknown as Db, new Date().toISOString().slice(0, 10), size)
}

/** Starts a Postgres server with the large fleet. `moving.ids` are active transports to change. */
export async function largeServer() {
  const pg = await startPostgres()
  const database = openServer(pg.url)
  await migrate(database.db)
  await fillFleet(database)
  await database.db.execute(sql`vacuum analyze`)
  const [moving] = (await database.db.execute(
    sql`select array_agg(id) as ids from (select id from transports where status <> 'Delivered' order by id limit 512) t`,
  )) as unknown as [{ ids: number[] }]
  const stop = async () => {
    await database.close()
    await pg.stop()
  }
  return { url: pg.url, moving, stop }
}
