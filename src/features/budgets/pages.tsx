import { Elysia } from 'elysia'
import { MONTH_NAMES } from '../../../db/vocabulary'
import { CostStrip } from '../../../views/budgets/cost-strip'
import { BudgetForm } from '../../../views/budgets/form'
import { BudgetsPage } from '../../../views/budgets/index-page'
import { LocationPage } from '../../../views/budgets/location-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptLeniently } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { paths, withQuery } from '../../platform/paths'
import { Refused, Stale } from '../../platform/refusals'
import { locationQueries } from '../places'
import { setBudget } from './mutations'
import { type Budget, findBudget, listYear, locationMonths, recentFleetMonths, totalYear } from './queries'
import { budget, budgetQuery } from './rules'

const { list, show, edit, months: strip } = paths.budgets

const FIELDS = MONTH_NAMES.map((name) => name.toLowerCase())

const isBlank = (value: unknown) => value === undefined || value === null || String(value).trim() === ''

/**
 * True if a month gets the amount of the field "Every month". Either the month's own field is empty, or the user chose
 * to overwrite all months.
 */
const hasEvery = (form: Record<string, unknown>, field: string) =>
  isBlank(form[field]) || (String(form.overwrites) === 'true' && !isBlank(form.every_month))

/**
 * @throws Refused when no month would get the amount in "Every month". In this case, all months have their own amounts,
 * and the user did not choose to overwrite them.
 */
function budgetFrom(form: Record<string, unknown>) {
  if (!isBlank(form.every_month) && !FIELDS.some((field) => hasEvery(form, field)))
    throw Refused.field(
      'every_month',
      'Every month already has an amount. Clear the months that you want to fill, or select the ' +
        'checkbox to overwrite all months.',
    )
  return {
    year: form.year,
    version: form.version,
    amounts: FIELDS.map((field) => (hasEvery(form, field) ? form.every_month : form[field])),
  }
}

const monthsOf = (amounts: Budget['amounts']) =>
  Object.fromEntries(amounts.map((amount, at) => [FIELDS[at], amount?.toFixed(2) ?? null]))

/**
 * Renames the fields of errors to the names of the inputs. Each error then appears at the input where the user entered
 * the amount. For example, `amounts.3` becomes `april`, or `every_month` if the amount was entered in that input.
 */
function inFields(error: unknown, form: Record<string, unknown>): unknown {
  if (error instanceof Stale) return new Stale({ ...error.current, ...monthsOf(error.current.amounts as never) })
  if (!(error instanceof Refused) || !error.errors) return error
  const fieldErrors = error.errors.map(({ field: at, message }) => {
    const name = at.startsWith('amounts.') ? (FIELDS[Number(at.slice('amounts.'.length))] as string) : at
    return { field: FIELDS.includes(name) && hasEvery(form, name) ? 'every_month' : name, message }
  })
  return new Refused([...new Map(fieldErrors.map((error) => [error.field, error])).values()])
}

export const budgetsPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const yearOf = (query: Record<string, unknown>) =>
    acceptLeniently(budgetQuery, query).year ?? Number(clock.today().slice(0, 4))
  const form = async (id: number, year: number, state: FormState) => (
    <BudgetForm location={await locationQueries.find(db, id)} year={year} form={state} />
  )
  return new Elysia({ detail: about({ role: 'costs' }) })
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, user, page }) => {
        const year = yearOf(query)
        const isAdmin = user.role === 'admin'
        const rows = await listYear(db, clock, year, { includesIdle: isAdmin })
        const thisYear = Number(clock.today().slice(0, 4))
        return page('Budgets', <BudgetsPage {...{ rows, year, thisYear }} total={totalYear(rows)} isAdmin={isAdmin} />)
      },
      { detail: about({ summary: 'Budget and costs of every location in a year' }) },
    )
    .get(strip, async ({ fragment }) => fragment(<CostStrip {...(await recentFleetMonths(db, clock))} />), {
      detail: about({ summary: 'Dashboard section with the costs of the last 12 months' }),
    })
    .get(
      show.pattern,
      async ({ params: { id }, user, page }) => {
        const [location, months] = await Promise.all([locationQueries.find(db, id), locationMonths(db, clock, id)])
        return page(location.location_name, <LocationPage {...{ location, months }} isAdmin={user.role === 'admin'} />)
      },
      { params: idParams, detail: about({ summary: 'Page of a location with its lists, monthly costs and budget' }) },
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
      ({ params: { id }, form: values, write, redirect, submit }) =>
        submit({
          title: 'Budget',
          show: (state) => form(id, yearOf(values), state),
          async save() {
            try {
              return await setBudget(write, id, accept(budget, budgetFrom(values)))
            } catch (error) {
              throw inFields(error, values)
            }
          },
          // The location page shows only the last twelve months. After saving the budget of a year other than the
          // current one, open the budget list of that year instead.
          done: ({ year }) => {
            const isShown = year === Number(clock.today().slice(0, 4))
            return redirect(isShown ? show(id) : withQuery(list, { year }), `Budget ${year} saved`)
          },
        }),
      { params: idParams, detail: about({ role: 'admin', summary: 'Save a budget' }) },
    )
}
