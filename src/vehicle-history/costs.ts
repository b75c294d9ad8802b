import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import type { Calendar } from '../clock'
import { costsByMonth } from '../reports/cost-reports'
import { findVehicleByUnit } from '../vehicles/queries'

/** Dollars, by the definitions of the cost reports. */
export type YearOfCosts = {
  year: number
  transport_cost: number
  registration_cost: number
  storage_fees: number
  total_cost: number
}

const YEARS = 3

/** What a unit cost this year and in the two before, the newest first. @throws Missing */
export async function costsOfVehicle(db: Db, clock: Calendar, unit: string): Promise<YearOfCosts[]> {
  await findVehicleByUnit(db, unit)
  const [today, timeZone] = [clock.today(), clock.timeZone]
  const last = Number(today.slice(0, 4))
  const first = last - YEARS + 1
  const asked = { start_date: `${first}-01-01`, end_date: `${last}-12-31`, location_id: null, today, timeZone }
  const found = await rows<Record<keyof YearOfCosts, number | string>>(
    db,
    sql`select y.year, coalesce(sum(c.transport_cost), 0) as transport_cost,
        coalesce(sum(c.registration_cost), 0) as registration_cost, coalesce(sum(c.storage_fees), 0) as storage_fees, coalesce(sum(c.total_cost), 0) as total_cost
      from generate_series(${first}::int, ${last}::int) y (year)
      left join (${costsByMonth(asked)}) c
        on c.unit_number = ${unit} and extract(year from c.day) = y.year
      group by y.year order by y.year desc`,
  )
  return found.map(({ year, transport_cost, registration_cost, storage_fees, total_cost }) => ({
    year: Number(year),
    transport_cost: Number(transport_cost),
    registration_cost: Number(registration_cost),
    storage_fees: Number(storage_fees),
    total_cost: Number(total_cost),
  }))
}
