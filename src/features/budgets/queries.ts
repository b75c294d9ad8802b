import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { budgets, locations } from '../../../db/schema'
import type { Calendar, Clock } from '../../platform/clock'
import { naturally } from '../../platform/records/natural-order'
import { whileUnchanged } from '../../platform/records/query-cache'
import { inDollars, lastMonths } from '../billing'
import { locationQueries } from '../places'
import { costsByMonth, costsKeptByDay, costsWithin } from '../reports'
import { MONTHS } from './rules'

/**
 * Monthly budgets of a location, from January to December. Amounts are in dollars. `version` is null if no budget is
 * stored for the year.
 */
export type Budget = { location_id: number; year: number; amounts: (number | null)[]; version: number | null }

/**
 * If no budget is stored, all monthly amounts are null.
 * @throws Missing when the location does not exist
 */
export async function findBudget(db: Db, location_id: number, year: number): Promise<Budget> {
  await locationQueries.find(db, location_id)
  const [budget] = await db
    .select()
    .from(budgets)
    .where(and(eq(budgets.location_id, location_id), eq(budgets.year, year)))
  return {
    location_id,
    year,
    amounts: budget?.amounts ?? Array.from({ length: MONTHS }, () => null),
    version: budget?.version ?? null,
  }
}

/** Costs in one month, in dollars. The calculation is the same as in the cost reports. */
export type CostMonth = {
  start_date: string
  end_date: string
  transport_cost: number
  registration_cost: number
  storage_fees: number
  total_cost: number
  /** Total cost of the same month one year earlier, in dollars. */
  year_before: number
}

/** @param location the id of a location, or null for all locations */
function costMonths(clock: Calendar, location: number | null): SQL {
  const today = clock.today()
  const first = Temporal.PlainDate.from(today).with({ day: 1 })
  const params = {
    start_date: first.subtract({ months: 23 }).toString(),
    end_date: first.add({ months: 1 }).subtract({ days: 1 }).toString(),
    location_id: location,
    today,
    timeZone: clock.timeZone,
  }
  const costs = sql`select date_trunc('month', c.day)::date as first, sum(c.transport_cost) as transport_cost,
      sum(c.registration_cost) as registration_cost, sum(c.storage_fees) as storage_fees,
      sum(c.total_cost) as total_cost
    from (${costsKeptByDay(params) ?? costsByMonth(params)}) c group by 1`
  return sql`(with costs as (${costs})
    select m.first, m.start_date, m.end_date, coalesce(c.transport_cost, 0)::float8 as transport_cost,
      coalesce(c.registration_cost, 0)::float8 as registration_cost,
      coalesce(c.storage_fees, 0)::float8 as storage_fees, coalesce(c.total_cost, 0)::float8 as total_cost,
      coalesce(y.total_cost, 0)::float8 as year_before
    from ${lastMonths(clock)} m
    left join costs c on c.first = m.first
    left join costs y on y.first = (m.first - interval '1 year')::date)`
}

const COST_MONTH = sql.raw(
  'm.start_date, m.end_date, m.transport_cost, m.registration_cost, m.storage_fees, m.total_cost, m.year_before',
)

/** Loads the monthly costs of all locations. Slow, because this query computes the storage fees of two years. */
export const fleetMonths = (db: Db, clock: Calendar): Promise<CostMonth[]> =>
  rows<CostMonth>(db, sql`select ${COST_MONTH} from ${costMonths(clock, null)} m order by m.first desc`)

type RecentMonths = { as_of: Date; months: CostMonth[] }
const recent = new WeakMap<Db, { day: string; expires: number; answer: RecentMonths }>()

/**
 * Loaded costs are reused for this multiple of the query's duration. The costs are reused even if users save changes.
 * After a query of 20 ms, the costs are reused for 0.4 s.
 */
const PAUSE_FACTOR = 20

/** Maximum time for which monthly costs are reused, in milliseconds. It applies after a query that had to wait long. */
const MAX_PAUSE_MS = 30_000

/**
 * Returns the monthly costs of all locations. The costs can be slightly out of date. `as_of` is the time at which these
 * costs were up to date.
 */
export async function recentFleetMonths(db: Db, clock: Clock): Promise<RecentMonths> {
  const [day, as_of, start] = [clock.today(), clock.now(), performance.now()]
  const last = recent.get(db)
  if (last?.day === day && start < last.expires) return last.answer
  const months = await whileUnchanged(db, `fleet months ${day}`, () => fleetMonths(db, clock))
  const answer = { as_of, months }
  const end = performance.now()
  // A query that started later may have finished first. In this case, return its result, because it is newer.
  const newest = recent.get(db)
  if (newest?.day === day && newest.answer.as_of > as_of) return newest.answer
  recent.set(db, { day, expires: end + Math.min((end - start) * PAUSE_FACTOR, MAX_PAUSE_MS), answer })
  return answer
}

export type LocationMonth = CostMonth & { budget: number | null }

/** @throws Missing when the location does not exist */
export async function locationMonths(db: Db, clock: Calendar, location_id: number): Promise<LocationMonth[]> {
  await locationQueries.find(db, location_id)
  const amount = sql`(g.amounts ->> (extract(month from m.first)::int - 1))::float8`
  return rows<LocationMonth>(
    db,
    sql`select ${COST_MONTH}, ${amount} as budget from ${costMonths(clock, location_id)} m
      left join ${budgets} g on g.location_id = ${location_id} and g.year = extract(year from m.first)::int
      order by m.first desc`,
  )
}

/** Budget and costs of a location in a year, in dollars. `budget_so_far` covers only the months that have begun. */
export type LocationYear = {
  location_id: number
  location_name: string
  budget: number | null
  budget_so_far: number | null
  spent: number
}

/**
 * Loads the locations with a budget or costs in a year. With `includesIdle`, also loads all other active locations, so
 * that an administrator can set their budgets.
 * Sorted by how much the costs exceed the budget of the months so far, largest amount first.
 */
export async function listYear(
  db: Db,
  clock: Calendar,
  year: number,
  { includesIdle = false } = {},
): Promise<LocationYear[]> {
  const today = clock.today()
  const [start_date, end_date] = [`${year}-01-01`, `${year}-12-31`]
  const params = { start_date, end_date, location_id: null, today, timeZone: clock.timeZone }
  const elapsedMonths = Math.min(
    Math.max((Number(today.slice(0, 4)) - year) * MONTHS + Number(today.slice(5, 7)), 0),
    MONTHS,
  )
  const sumOf = (months: number) =>
    sql`(select sum(a.amount::numeric)::float8 from jsonb_array_elements_text(b.amounts)
      with ordinality a (amount, month)
      where a.month <= ${months}::int)`
  return rows<LocationYear>(
    db,
    sql`select l.id as location_id, l.location_name, ${sumOf(MONTHS)} as budget,
      ${sumOf(elapsedMonths)} as budget_so_far,
        coalesce(c.spent, 0)::float8 as spent
      from ${locations} l
      left join ${budgets} b on b.location_id = l.id and b.year = ${year}::int
      left join (select location_id, sum(total_cost) as spent from (${costsWithin(params)}) c group by location_id) c
        on c.location_id = l.id
      where b.id is not null or c.spent <> 0 or (${includesIdle} and l.is_active)
      order by coalesce(c.spent, 0) - ${sumOf(elapsedMonths)} desc nulls last, ${naturally(sql`l.location_name`)},
      l.id`,
  )
}

export type YearTotal = Pick<LocationYear, 'budget' | 'budget_so_far' | 'spent'> & {
  /** Costs of only the locations that have a budget. These costs are compared with the sum of the budgets. */
  spent_with_budget: number
}

/** Budgets are null if no location has one. */
export function totalYear(rows: LocationYear[]): YearTotal {
  const sum = (field: 'budget' | 'budget_so_far') => {
    const amounts = rows.flatMap((row) => row[field] ?? [])
    return amounts.length > 0 ? inDollars(amounts) : null
  }
  const spentIn = (some: LocationYear[]) => inDollars(some.map(({ spent }) => spent))
  return {
    budget: sum('budget'),
    budget_so_far: sum('budget_so_far'),
    spent: spentIn(rows),
    spent_with_budget: spentIn(rows.filter(({ budget }) => budget !== null)),
  }
}
