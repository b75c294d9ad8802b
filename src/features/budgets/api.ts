import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { date, integer, list, number, object, orNull, string } from '../../platform/docs/schema'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerRowsOrPage } from '../../platform/http/answers'
import { data, page } from '../../platform/http/shapes'
import { partQuery } from '../../platform/lists/list-query'
import { showingStored } from '../../platform/refusals'
import { setBudget } from './mutations'
import { findBudget, fleetMonths, listYear, locationMonths } from './queries'
import { budget, budgetQuery } from './rules'

const BUDGET = object({ location_id: integer, year: integer, amounts: list(orNull(number)), version: orNull(integer) })

const COSTS = {
  start_date: date,
  end_date: date,
  transport_cost: number,
  registration_cost: number,
  storage_fees: number,
  total_cost: number,
  year_before: number,
}
const MONTHS_DESCRIPTION = 'Current month first. `year_before` is the total of the same month one year earlier.'

export const budgetsApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  const yearOf = ({ year }: { year?: number | undefined }) => year ?? Number(clock.today().slice(0, 4))
  return new Elysia({ prefix: '/api', detail: about({ role: 'costs', tags: ['locations'] }) })
    .use(signedIn(ctx))
    .get('/budgets', async ({ query }) => answerRowsOrPage(await listYear(db, clock, yearOf(query)), query), {
      query: budgetQuery.extend(partQuery.shape),
      detail: about({
        summary: 'Budget and costs of every location in a year',
        description: '`year` defaults to the current year. `budget_so_far` and `spent` include the current month.',
        answers: page(
          object({
            location_id: integer,
            location_name: string,
            budget: orNull(number),
            budget_so_far: orNull(number),
            spent: number,
          }),
        ),
      }),
    })
    .get('/budgets/months', async ({ query }) => answerRowsOrPage(await fleetMonths(db, clock), query), {
      query: partQuery,
      detail: about({
        summary: 'Monthly costs of all locations, last 12 months',
        description: MONTHS_DESCRIPTION,
        answers: page(object(COSTS)),
      }),
    })
    .get(
      '/locations/:id/months',
      async ({ params, query }) => answerRowsOrPage(await locationMonths(db, clock, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({
          summary: 'Monthly costs and budget of a location, last 12 months',
          description: MONTHS_DESCRIPTION,
          answers: page(object({ ...COSTS, budget: orNull(number) })),
        }),
      },
    )
    .get('/locations/:id/budget', async ({ params, query }) => answer(await findBudget(db, params.id, yearOf(query))), {
      params: idParams,
      query: budgetQuery,
      detail: about({
        summary: 'Monthly budget of a location for a year',
        description: '`amounts` has twelve entries, beginning with January. A month without a budget is null.',
        answers: data(BUDGET),
      }),
    })
    .put(
      '/locations/:id/budget',
      async ({ params, body, write }) => {
        const stored = () => findBudget(db, params.id, body.year)
        return answer(await setBudget(write, params.id, body).catch(showingStored(stored)))
      },
      {
        params: idParams,
        body: budget,
        detail: about({
          role: 'admin',
          summary: 'Set the monthly budget of a location for a year',
          answers: data(BUDGET),
        }),
      },
    )
}
