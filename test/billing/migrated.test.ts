import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { applyMigrations, migrate, migrations } from '../../db/migrate'
import { withEmbedded } from '../support/embedded'

const OLDER = migrations.map(({ name }) => name).filter((name) => name < '0062')

test('invoice lines of an earlier version get their stays, days and the earlier invoices', async () => {
  await withEmbedded(async ({ db, bulk }) => {
    await db.execute(sql`drop schema public cascade`)
    await db.execute(sql`create schema public`)
    await bulk('write', (bulk) => applyMigrations(bulk.run, OLDER))
    for (const statement of [
      sql`insert into locations (location_code, location_name) values ('PHX', 'Phoenix')`,
      sql`insert into vendors (vendor_name) values ('Yard One')`,
      sql`insert into vehicles (unit_number) values ('100001'), ('100002')`,
      sql`insert into osl_entries (unit_number, osl_date, location_id, vendor_id, problem, status, completed_at,
        storage_fees_applicable)
        select unit, osl_date::date, 1, 1, 'Transmission slips', 'Completed', completed_at::timestamptz, true
        from (values
          ('100001', '2026-02-01', '2026-02-10T12:00Z'), ('100001', '2026-02-15', '2026-02-20T12:00Z'),
          ('100001', '2026-04-01', '2026-04-02T12:00Z'), ('100002', '2026-02-01', '2026-02-28T12:00Z')) v (unit,
          osl_date, completed_at)`,
      sql`insert into vendor_invoices (vendor_id, number, start_date, end_date)
        values (1, 'A', '2026-02-01', '2026-02-10'), (1, 'B', '2026-02-01', '2026-02-28'),
        (1, 'C', '2026-02-05', '2026-02-06')`,
      sql`insert into vendor_invoice_lines (invoice_id, unit_number, osl_id, amount, expected, status, reason) values
        (1, '100002', 4, 90, 90, 'matched', null), (2, '100001', 2, 150, 150, 'matched', null),
        (2, '100002', 4, 180, 180, 'matched', null),
        (3, '100002', 4, 20, 0, 'differs', 'Already billed on invoice A, 02/01/2026 to 02/10/2026')`,
    ])
      await db.execute(statement)
    await migrate(db)
    expect(await rows(db, sql`select osl_ids, billed_on, billed_days from vendor_invoice_lines order by id`)).toEqual([
      { osl_ids: [4], billed_on: [], billed_days: '{[2026-02-02,2026-02-11)}' },
      { osl_ids: [1, 2], billed_on: [], billed_days: '{[2026-02-02,2026-02-11),[2026-02-16,2026-02-21)}' },
      { osl_ids: [4], billed_on: [1], billed_days: '{[2026-02-11,2026-03-01)}' },
      { osl_ids: [4], billed_on: [1], billed_days: null },
    ])
    expect(await rows(db, sql`select expands from schema_migrations where name = '0062_billed_on'`)).toEqual([
      { expands: true },
    ])
  })
})
