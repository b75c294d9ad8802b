/** What other features and the program may use of it. */

export { findManyVehicles } from './find'
export { followRecord, traceOfOsl, traceOfTransport } from './follow'
export { hasPendingTitle, isReadLater, openOsl, openTransport, registeredUntil } from './known'
export { ensureVehicle, FIRST_STATUS, restoreVehicle } from './mutations'
export { vinParams } from './rules'
export { mileageByRecords, placeByRecords, statusByRecords } from './sql'
