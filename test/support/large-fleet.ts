import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Database } from '../../db/client'

/** Row counts of a fleet. One in twenty transports is active. */
export type FleetSize = { transports: number; vehicles: number; osl: number; registrations: number; titles: number }

/** A fleet of twenty thousand vehicles after three years. */
export const LARGE: FleetSize = {
  transports: 200_000,
  vehicles: 20_000,
  osl: 50_000,
  registrations: 100_000,
  titles: 50_000,
}

/** SQL for a pseudorandom number below `limit`, the same in every run. */
const thrown = (factor: number, limit: number) => sql.raw(`((n::bigint * ${factor}) % 100003 % ${limit})::int`)
const oneIn = (factor: number, share: number) => sql`${thrown(factor, share)} = 0`

/**
 * Fills an empty database with a fleet as of the day `today`. Most records are past, some are current, and a usual
 * share is late, missing or forgotten.
 */
export async function fillLargeFleet(database: Database, today: string, size: FleetSize = LARGE): Promise<void> {
  const day = sql`${today}::date`
  const unit = sql`lpad((100000 + ${thrown(7919, Math.min(size.vehicles, 99_000))})::text, 6, '0')`
  const dialect = new PgDialect()
  // A bulk transaction for each statement, because the statements exceed the time limit of interactive use. A single
  // transaction would leave pages that a vacuum cannot mark as visible, which changes the query plans.
  const run = (statement: SQL) =>
    database.bulk('write', (bulk) => bulk.run(dialect.sqlToQuery(statement.inlineParams()).sql))
  const series = (count: number) => sql`generate_series(1, ${count}::int) n`
  await run(sql`insert into locations (location_code, location_name, location_type)
    select 'L' || n, 'Location ' || n, (array['Hub', 'Vendor', 'Hub', 'Lot'])[1 + n % 4] from ${series(60)}`)
  await run(sql`insert into transport_companies (company_name) select 'Company ' || n from ${series(12)}`)
  await run(sql`insert into vendors (vendor_name, vendor_type) select 'Yard ' || n, 'Storage' from ${series(10)}`)
  await run(sql`insert into vehicles (unit_number, vin, model_year, current_status)
    select lpad((100000 + n - 1)::text, 6, '0'), '1FTEW1EP5K' || lpad(n::text, 7, '0'), 2016 + n % 10, 'Available'
    from ${series(size.vehicles)}`)
  await run(sql`insert into transports (unit_number, location_out_id, location_in_id, move_date, estimated_arrival_date,
      actual_arrival_date, move_type, transport_company_id, status, ra_number, estimated_cost, final_cost, issue_po,
      po_number,
      mileage, created_by)
    select ${unit}, 1 + spread % 60, 1 + (spread + 7) % 60, d, d + 2 + n % 5,
    case when delivered then d + 1 + n % 6 end,
      case when ${oneIn(19, 90)} then 'Sales' else (array['Fleet', 'Fleet', 'OSL', 'TA'])[1 + n % 4] end,
      1 + spread % 12,
      case when delivered then 'Delivered' else (array['In Transit', 'Awaiting Pickup', 'Searching For Driver',
      'Vehicle Not Ready'])[1 + ${thrown(31, 4)}] end,
      case when n % 3 > 0 then 'RA' || 10000 + n % 89999 end, 100 + n % 900 + 0.25,
      case when delivered and not ${oneIn(13, 400)} then 110 + n % 950 end, n % 11 = 0,
      case when n % 11 = 0 and not ${oneIn(17, 300)} then 'PO-' || n end, 20000 + n % 90000, 'ada'
    from (select n, n + n / 20 as spread, n % 20 > 0 as delivered,
    case when n % 20 > 0 then ${day} - 10 - ${thrown(131, 1100)}
      else ${day} - 5 + ${thrown(37, 14)} end as d from ${series(size.transports)}) n`)
  await run(sql`insert into osl_entries (unit_number, osl_date, location_id, vendor_id, problem, status, completed_at,
      storage_fees_applicable, storage_fee_daily_rate, created_by)
    select ${unit}, d, 1 + n % 60, case when n % 3 = 0 then 1 + n % 10 end, 'Does not start, sent to the yard',
      case when n % 50 > 0 then 'Completed' else (array['Out of Service', 'Awaiting Parts', 'In Repair',
      'Ready'])[1 + ${thrown(31, 4)}] end,
      case when n % 50 > 0 then (d + 3 + n % 30)::timestamp at time zone 'UTC' end, n % 2 = 0,
      case when n % 2 = 0 then 35.5 end, 'ada'
    from (select n, case when n % 50 > 0 then ${day} - 40 - ${thrown(131, 1000)} else ${day} - ${thrown(41, 120)}
    end as d
      from ${series(size.osl)}) n`)
  await run(sql`insert into registrations (unit_number, location_id, plate_number, state_province, registration_type,
    cost, vlt,
      date_issued, date_expires, received, status, created_by)
    select lpad((100000 + (n - 1) % ${size.vehicles}::int)::text, 6, '0'), 1 + n % 60, 'P' || n, 'AZ', 'Renewal', 92.5,
    410.25,
      e - 365, e, not (e >= ${day} and ${oneIn(43, 20)}),
      case when e >= ${day} and ${oneIn(43, 20)} then 'Pending' when e < ${day} then 'Expired' else 'Complete' end,
      'ada'
    from (select n, ${day} - 10 + ${thrown(53, 360)} - 365 * ((${size.registrations}::int - n) / ${size.vehicles}::int)
    as e
      from ${series(size.registrations)}) n`)
  await run(sql`insert into titles (unit_number, location_id, dealer_name, submitted_date, transferred_date, created_by)
    select ${unit}, 1 + n % 60, 'Dealer ' || n % 40, d, case when n % 100 > 0 then d + 5 + n % 40 end, 'ada'
    from (select n, case when n % 100 > 0 then ${day} - 60 - ${thrown(131, 1000)} else ${day} - ${thrown(41, 90)}
    end as d
      from ${series(size.titles)}) n`)
  await run(sql`analyze`)
}
