import { locationQueries, transportCompanyQueries, vendorQueries } from '../features/places'
import { FIRST_STATUS, mileageByRecords, placeByRecords, recordsOf, statusByRecords } from '../features/vehicles'
import { registerKinds } from '../platform/kinds'
import { IMPORT_KINDS } from './import-kinds'
import { MODULES } from './modules'

registerKinds({
  records: MODULES.flatMap(({ kinds = [] }) => kinds),
  lists: MODULES.flatMap(({ lists = [] }) => lists),
  imports: IMPORT_KINDS,
  // The worker's path is relative to this module. In the compiled program, this module is part of the main bundle, so
  // the path starts at the bundle root.
  importWorker: new URL(
    Bun.isStandaloneExecutable ? './src/app/import-worker.js' : './import-worker.ts',
    import.meta.url,
  ).href,
  places: { location: locationQueries, company: transportCompanyQueries, vendor: vendorQueries },
  vehicles: { firstStatus: FIRST_STATUS, statusByRecords, placeByRecords, mileageByRecords, recordsOf },
})
