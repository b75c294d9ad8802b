import type { Db } from '../../../../db/client'
import type { Clock } from '../../clock'
import { checkCostAccess } from '../../costs'
import { Refusal } from '../../refusals'
import { findList } from '../kind'

/** Counts the rows of a saved view. Returns null if the view's filters are invalid or would reveal costs. */
export async function countViewRows(
  db: Db,
  clock: Clock,
  reader: { sees_costs: boolean },
  { list, query }: { list: string; query: string },
): Promise<number | null> {
  const filters = Object.fromEntries(new URLSearchParams(query))
  try {
    checkCostAccess(reader, filters)
    return (await findList(list)?.count(db, clock, filters)) ?? null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
