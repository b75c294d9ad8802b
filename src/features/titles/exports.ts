import { columnsOf, listExport, ownColumn } from '../../platform/lists/exports/list'
import { titleImport } from './import'
import { titleListings } from './queries'
import { overdueFilters, titleFilters } from './rules'

const PENDING = columnsOf(titleImport, [ownColumn('days_pending', 'count'), ownColumn('stage')], 'notes')
const TRANSFERRED = [...PENDING, ownColumn('transferred_date', 'date')]

export const titleExports = {
  'titles-pending': listExport(PENDING, titleFilters, (db, clock, query) => titleListings.pending(db, clock, query)),
  'titles-transferred': listExport(TRANSFERRED, titleFilters, (db, clock, query) =>
    titleListings.transferred(db, clock, query),
  ),
  'titles-overdue': listExport(PENDING, overdueFilters, (db, clock, query) => titleListings.overdue(db, clock, query)),
}
