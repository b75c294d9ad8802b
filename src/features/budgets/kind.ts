import { sql } from 'drizzle-orm'
import { budgets, locations } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { RecordKind } from '../../platform/records/kind'

export const budgetKind: RecordKind = {
  table: budgets,
  noun: 'budget',
  many: 'budgets',
  history: 'cost viewers',
  // `location` is the id of a location, not of a budget, because reports identify a budget by its location.
  about: (location) => sql`(select l.location_name from ${locations} l where l.id = ${location})`,
  reportPage: ({ id }) => paths.budgets.show(id),
}
