import { columnsOf, listExport, ownColumn } from '../../platform/lists/exports/list'
import { oslImport } from './import'
import { oslListings } from './queries'
import { completedOslFilters, completedPeriod, oslFilters } from './rules'

const ACTIVE = columnsOf(oslImport, [
  ownColumn('vendor_name', 'text', 'vendor'),
  ...['ta_log_number', 'contact_email'].map((key) => ownColumn(key)),
  ownColumn('generator_hours', 'decimal'),
  ...['propane_level', 'exchange_location', 'non_rev_number', 'fleet_registration_mailed', 'model_year'].map((key) =>
    ownColumn(key),
  ),
  ownColumn('days_out_of_service', 'count'),
  ownColumn('storage_fees_total', 'money'),
  ...['waiting_on', 'owner'].map((key) => ownColumn(key)),
  ownColumn('next_action_on', 'date'),
])
const COMPLETED = [...ACTIVE, ownColumn('completed_on', 'date')]

export const oslExports = {
  'osl-active': listExport(ACTIVE, oslFilters, (db, clock, query) => oslListings.active(db, clock, query)),
  'osl-completed': listExport(COMPLETED, completedOslFilters, (db, clock, query) =>
    oslListings.completed(db, clock, { ...query, ...completedPeriod(query) }),
  ),
}
