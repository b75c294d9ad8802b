import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client'
import type { Calendar } from '../../../platform/clock'
import { prepared } from '../../../platform/records/prepared-statements'
import { costsByMonth } from '../../reports'

/** Costs of a vehicle in one year, in dollars. The calculation is the same as in the cost reports. */
export type YearOfCosts = {
  year: number
  transport_cost: number
  registration_cost: number
  storage_fees: number
  total_cost: number
}

const YEARS = 3

const sumOf = (cost: SQL) => sql`coalesce(sum(${cost}), 0)`.mapWith(Number)

function yearsOfCosts(db: Db, clock: Calendar) {
  const [today, timeZone] = [clock.today(), clock.timeZone]
  const last = Number(today.slice(0, 4))
  const first = last - YEARS + 1
  const params = { start_date: `${first}-01-01`, end_date: `${last}-12-31`, location_id: null, today, timeZone }
  return db
    .select({
      year: sql`y.year`.mapWith(Number),
      transport_cost: sumOf(sql`c.transport_cost`),
      registration_cost: sumOf(sql`c.registration_cost`),
      storage_fees: sumOf(sql`c.storage_fees`),
      total_cost: sumOf(sql`c.total_cost`),
    })
    .from(
      // Years and dates as literals, because Postgres would otherwise plan the statement again for each vehicle.
      sql`${sql`generate_series(${first}::int, ${last}::int)`.inlineParams()} y (year)
        left join (${costsByMonth(params).inlineParams()}) c
        on c.unit_number = ${sql.placeholder('unit')} and extract(year from c.day) = y.year`,
    )
    .groupBy(sql`y.year`)
    .orderBy(sql`y.year desc`)
    .prepare('costs_of_vehicle')
}

export const costsOfVehicle = (db: Db, clock: Calendar, unit: string): Promise<YearOfCosts[]> =>
  prepared(db, 'costs_of_vehicle', () => yearsOfCosts(db, clock), `${clock.today()} ${clock.timeZone}`).execute({
    unit,
  })
