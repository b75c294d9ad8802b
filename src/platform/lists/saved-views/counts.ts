import type { Db } from '../../../../db/client'
import type { Clock } from '../../clock'
import { checkAsked } from '../../costs'
import { Refusal } from '../../refusals'
import { listNamed } from '../kind'

/** Counts the rows of a view. Null if its filters are invalid or would reveal costs. */
export async function countRows(
  db: Db,
  clock: Clock,
  reader: { sees_costs: boolean },
  { list, query }: { list: string; query: string },
): Promise<number | null> {
  const asked = Object.fromEntries(new URLSearchParams(query))
  try {
    checkAsked(reader, asked)
    return (await listNamed(list)?.count(db, clock, asked)) ?? null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
