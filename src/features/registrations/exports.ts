import { columnsOf, listExport, ownColumn } from '../../platform/lists/exports/list'
import { registrationImport } from './import'
import { registrationListings } from './queries'
import { expiringFilters, registrationFilters } from './rules'

const PENDING = columnsOf(registrationImport)
const RECEIVED = [...PENDING, ownColumn('status')]

export const registrationExports = {
  'registrations-pending': listExport(PENDING, registrationFilters, (db, clock, query) =>
    registrationListings.pending(db, clock, query),
  ),
  'registrations-completed': listExport(RECEIVED, registrationFilters, (db, clock, query) =>
    registrationListings.completed(db, clock, query),
  ),
  'registrations-expiring': listExport(RECEIVED, expiringFilters, (db, clock, query) =>
    registrationListings.expiring(db, clock, query),
  ),
  'registrations-overdue': listExport(RECEIVED, registrationFilters, (db, clock, query) =>
    registrationListings.overdue(db, clock, query),
  ),
}
