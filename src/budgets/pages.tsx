import { Elysia } from 'elysia'
import { CostStrip } from '../../views/budgets/cost-strip'
import { BudgetForm } from '../../views/budgets/form'
import { BudgetsPage } from '../../views/budgets/index-page'
import { LocationPage } from '../../views/budgets/location-page'
import type { FormState } from '../../views/ui/form-state'
import { accept, acceptLeniently } from '../accept'
import { locationQueries } from '../admin/locations/queries'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { about } from '../http/about'
import { paths } from '../paths'
import { Refused, Stale } from '../refusals'
import { setBudget } from './mutations'
import { type Budget, findBudget, listYear, locationMonths, recentFleetMonths } from './queries'
import { budget, budgetQuery, MONTHS } from './rules'

const { list, show, edit, months: strip } = paths.budgets

/** The field of a month in the form, from 1 on. */
const field = (month: number) => `month_${month}`

/** What a form asks for, as a budget: a blank month has what every month has. */
const budgetFrom = (form: Record<string, unknown>) => ({
  year: form.year,
  version: form.version,
  amounts: Array.from({ length: MONTHS }, (_, at) => {
    const own = form[field(at + 1)]
    return own === undefined || own === '' ? form.every_month : own
  }),
})

const monthsOf = (amounts: Budget['amounts']) =>
  Object.fromEntries(amounts.map((amount, at) => [field(at + 1), amount?.toFixed(2) ?? null]))

/** A refusal of `amounts.3`, said of the field in which that amount was typed. */
function inFields(error: unknown, form: Record<string, unknown>): unknown {
  if (error instanceof Stale) return new Stale({ ...error.current, ...monthsOf(error.current.amounts as never) })
  if (!(error instanceof Refused) || !error.errors) return error
  const named = error.errors.map(({ field: at, message }) => {
    const name = at.startsWith('amounts.') ? field(Number(at.slice('amounts.'.length)) + 1) : at
    return { field: name.startsWith('month_') && !form[name] ? 'every_month' : name, message }
  })
  return new Refused([...new Map(named.map((error) => [error.field, error])).values()])
}

export const budgetsPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const yearOf = (query: Record<string, unknown>) =>
    acceptLeniently(budgetQuery, query).year ?? Number(clock.today().slice(0, 4))
  const form = async (id: number, year: number, state: FormState) => (
    <BudgetForm location={await locationQueries.find(db, id)} year={year} form={state} />
  )
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, user, page }) => {
        const year = yearOf(query)
        const rows = await listYear(db, clock, year)
        return page('Budgets', <BudgetsPage {...{ rows, year }} isAdmin={user.role === 'admin'} />)
      },
      { detail: about({ summary: 'Budget and costs of every location in a year' }) },
    )
    .get(strip, async ({ fragment }) => fragment(<CostStrip {...(await recentFleetMonths(db, clock))} />), {
      detail: about({ summary: 'A piece of the dashboard: the last twelve months of costs' }),
    })
    .get(
      show.pattern,
      async ({ params: { id }, user, page }) => {
        const [location, months] = await Promise.all([locationQueries.find(db, id), locationMonths(db, clock, id)])
        return page(location.location_name, <LocationPage {...{ location, months }} isAdmin={user.role === 'admin'} />)
      },
      { params: idParams, detail: about({ summary: 'A location: its lists, and its months beside their budget' }) },
    )
    .get(
      edit.pattern,
      async ({ params: { id }, query, page }) => {
        const { year, amounts, version } = await findBudget(db, id, yearOf(query))
        return page('Budget', await form(id, year, { values: { ...monthsOf(amounts), version } }))
      },
      { params: idParams, detail: about({ role: 'admin', summary: 'Set a budget' }) },
    )
    .post(
      edit.pattern,
      ({ params: { id }, form: sent, actor, redirect, submit }) =>
        submit({
          title: 'Budget',
          show: (state) => form(id, yearOf(sent), state),
          async save() {
            try {
              return await setBudget(db, actor, id, accept(budget, budgetFrom(sent)))
            } catch (error) {
              throw inFields(error, sent)
            }
          },
          done: ({ year }) => redirect(show(id), `Budget ${year} saved`),
        }),
      { params: idParams, detail: about({ role: 'admin', summary: 'Save a budget' }) },
    )
}
