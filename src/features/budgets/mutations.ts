import { and, eq } from 'drizzle-orm'
import { type Db, violatedUnique } from '../../../db/client'
import { budgets } from '../../../db/schema'
import type { Actor } from '../../platform/records/actor'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Conflict } from '../../platform/refusals'
import { locationQueries } from '../places'
import { type Budget, findBudget } from './queries'
import type { BudgetChange } from './rules'

/**
 * Sets what a location may cost in each month of a year; twelve blanks take its budget of the year away.
 * @throws Missing when there is no such location, Stale, Conflict when somebody else set the first budget of the year
 */
export const setBudget = (
  db: Db,
  actor: Actor,
  location_id: number,
  { year, amounts, version }: BudgetChange,
): Promise<Budget> =>
  db
    .transaction(async (tx) => {
      await locationQueries.find(tx, location_id)
      const [stored] = await tx
        .select({ id: budgets.id })
        .from(budgets)
        .where(and(eq(budgets.location_id, location_id), eq(budgets.year, year)))
      const isBlank = amounts.every((amount) => amount === null)
      if (stored) {
        const { id } = stored
        await changeRecord(tx, actor, budgets, { id, version, what: 'Budget', values: isBlank ? {} : { amounts } })
        if (isBlank) await removeRecord(tx, actor, budgets, id, 'Budget')
      } else if (!isBlank) await createRecord(tx, actor, budgets, { location_id, year, amounts })
      return findBudget(tx, location_id, year)
    })
    .catch((error) => {
      if (violatedUnique(error) === null) throw error
      throw new Conflict('Someone else set this budget meanwhile; open it again')
    })
