import type { Db } from '../../db/client'
import type { ViewList } from '../../db/vocabulary'
import { accept } from '../accept'
import type { Clock } from '../clock'
import { listDue } from '../due/queries'
import { dueFilters } from '../due/rules'
import type { ListExport } from '../exports/list'
import { oslExports } from '../osl/exports'
import { Refusal } from '../refusals'
import { registrationExports } from '../registrations/exports'
import { dueCalendar } from '../settings/queries'
import { titleExports } from '../titles/exports'
import { transportExports } from '../transports/exports'

type Query = Record<string, string>
type Count = (db: Db, clock: Clock, query: Query) => Promise<number>

const rowsOf =
  (list: ListExport): Count =>
  (db, clock, query) =>
    list.open(db, clock, query).count()
/** The rows of a list whose tab stands in its address. */
const rowsOfTab =
  (tabs: Record<string, ListExport>, first: ListExport): Count =>
  (db, clock, query) =>
    rowsOf(tabs[query.tab ?? ''] ?? first)(db, clock, query)

const active = rowsOf(transportExports['transports-active'])
const activeOsl = rowsOf(oslExports['osl-active'])

/** How many rows a list shows, by the filters in its address. */
const COUNTS: Record<ViewList, Count> = {
  transports: active,
  'transports-active': active,
  'transports-completed': rowsOf(transportExports['transports-completed']),
  osl: activeOsl,
  'osl-active': activeOsl,
  'osl-completed': rowsOf(oslExports['osl-completed']),
  registrations: rowsOfTab(
    {
      complete: registrationExports['registrations-completed'],
      expiring: registrationExports['registrations-expiring'],
    },
    registrationExports['registrations-pending'],
  ),
  titles: rowsOfTab(
    { transferred: titleExports['titles-transferred'], overdue: titleExports['titles-overdue'] },
    titleExports['titles-pending'],
  ),
  due: async (db, clock, query) =>
    (await listDue(db, await dueCalendar(db, clock), accept(dueFilters, { ...query, per_page: 1 }))).total,
}

/** The rows that a view shows now; null when its filters are no longer understood. */
export async function countRows(
  db: Db,
  clock: Clock,
  { list, query }: { list: ViewList; query: string },
): Promise<number | null> {
  try {
    return await COUNTS[list](db, clock, Object.fromEntries(new URLSearchParams(query)))
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
