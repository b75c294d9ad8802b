/** What other features and the program may use of it. */
export { expireRegistrations } from './mutations'
export { countPendingRegistrations, registrationListings, registrationsOfVehicle } from './queries'
export { expiringFilters } from './rules'
export { daysUntilExpiry, isExpiring, plateBegins } from './sql'
