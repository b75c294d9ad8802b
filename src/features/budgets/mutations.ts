import { and, eq } from 'drizzle-orm'
import { violatedUnique } from '../../../db/client'
import { budgets } from '../../../db/schema'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Conflict } from '../../platform/refusals'
import { locationQueries } from '../places'
import { type Budget, findBudget } from './queries'
import type { BudgetChange } from './rules'

/**
 * Sets the monthly budget of a location for a year. Twelve nulls delete the budget.
 * @throws Missing when the location does not exist
 * @throws Stale when another user has changed the budget
 * @throws Conflict when another user has created the budget at the same time
 */
export const setBudget = (
  write: Write,
  location_id: number,
  { year, amounts, version }: BudgetChange,
): Promise<Budget> =>
  inTransaction(write, async (write) => {
    await locationQueries.find(write.db, location_id)
    const [stored] = await write.db
      .select({ id: budgets.id })
      .from(budgets)
      .where(and(eq(budgets.location_id, location_id), eq(budgets.year, year)))
    const isBlank = amounts.every((amount) => amount === null)
    if (stored) {
      const { id } = stored
      if (isBlank) await removeRecord(write, budgets, id, 'Budget', undefined, version)
      else await changeRecord(write, budgets, { id, version, what: 'Budget', values: { amounts } })
    } else if (!isBlank) await createRecord(write, budgets, { location_id, year, amounts })
    return findBudget(write.db, location_id, year)
  }).catch((error) => {
    if (violatedUnique(error) === null) throw error
    throw new Conflict('Someone else saved this budget in the meantime. Open the budget again to see the new amounts.')
  })
