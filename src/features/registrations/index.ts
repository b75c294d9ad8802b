export { expireRegistrations } from './mutations'
export { countPendingRegistrations, registrationListings, registrationsOfVehicle } from './queries'
export { expiringFilters } from './rules'
export { daysUntilExpiry, isExpiring, plateBegins } from './sql'
