import { columnsOf, listExport } from '../../platform/lists/exports/list'
import { transportImport } from './import'
import { transportListings } from './listings'
import { completedFilters, reportPeriod, transportFilters } from './rules'

const COLUMNS = columnsOf(transportImport)

export const transportExports = {
  'transports-active': listExport(COLUMNS, transportFilters, (db, clock, query) =>
    transportListings.active(db, clock, query),
  ),
  'transports-completed': listExport(COLUMNS, completedFilters.omit({ format: true }), (db, clock, query) =>
    transportListings.completed(db, clock, { ...query, ...reportPeriod(query, clock.today()) }),
  ),
  'transports-all': listExport(COLUMNS, transportFilters, (db, clock, query) =>
    transportListings.all(db, clock, query),
  ),
}
