import type { Db } from '../../../../db/client'
import type { ViewList } from '../../../../db/vocabulary'
import type { Clock } from '../../clock'
import { checkAsked } from '../../costs'
import { kinds } from '../../kinds'
import { Refusal } from '../../refusals'
import type { ListExport } from '../exports/list'

type Query = Record<string, string>

/** The list that can be fetched as a file with the very rows that a page shows, by the tab in its address. */
const FILE_OF: Record<Exclude<ViewList, 'due'>, (query: Query) => string> = {
  transports: () => 'transports-active',
  'transports-active': () => 'transports-active',
  'transports-completed': () => 'transports-completed',
  osl: () => 'osl-active',
  'osl-active': () => 'osl-active',
  'osl-completed': () => 'osl-completed',
  registrations: ({ tab }) =>
    tab === 'complete'
      ? 'registrations-completed'
      : tab === 'expiring'
        ? 'registrations-expiring'
        : 'registrations-pending',
  titles: ({ tab }) => `titles-${tab === 'transferred' || tab === 'overdue' ? tab : 'pending'}`,
}

/** The rows that a view shows now; null when its filters are no longer understood, or tell costs. */
export async function countRows(
  db: Db,
  clock: Clock,
  lists: Record<string, ListExport>,
  reader: { sees_costs: boolean },
  { list, query }: { list: ViewList; query: string },
): Promise<number | null> {
  const asked = Object.fromEntries(new URLSearchParams(query))
  try {
    checkAsked(reader, asked)
    if (list === 'due') return await kinds('countDue')(db, clock, asked)
    return (await lists[FILE_OF[list](asked)]?.open(db, clock, asked).count()) ?? null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
