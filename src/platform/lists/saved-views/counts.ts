import type { Db } from '../../../../db/client'
import type { Clock } from '../../clock'
import { checkAsked } from '../../costs'
import { Refusal } from '../../refusals'
import { listNamed } from '../kind'

/** The rows that a view shows now; null when its filters are no longer understood, or tell costs. */
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
