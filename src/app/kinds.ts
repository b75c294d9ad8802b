import { dueFilters, listDue } from '../features/due'
import { locationQueries, transportCompanyQueries, vendorQueries } from '../features/places'
import { dueCalendar } from '../features/settings'
import { FIRST_STATUS, mileageByRecords, placeByRecords, statusByRecords } from '../features/vehicles'
import { accept } from '../platform/accept'
import { registerKinds } from '../platform/kinds'
import { IMPORT_KINDS } from './import-kinds'

registerKinds({
  imports: IMPORT_KINDS,
  // In the binary this module is part of the main bundle, so the address starts at the bundle's root.
  importWorker: new URL(
    Bun.isStandaloneExecutable ? './src/app/import-worker.js' : './import-worker.ts',
    import.meta.url,
  ).href,
  places: { location: locationQueries, company: transportCompanyQueries, vendor: vendorQueries },
  vehicles: { firstStatus: FIRST_STATUS, statusByRecords, placeByRecords, mileageByRecords },
  async countDue(db, clock, query) {
    return (await listDue(db, await dueCalendar(db, clock), accept(dueFilters, { ...query, per_page: 1 }))).total
  },
})
