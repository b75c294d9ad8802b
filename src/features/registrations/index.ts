export { expireRegistrations } from './mutations'
export { countPendingRegistrations, latestRegistrations, registrationListings, unitsWithPlate } from './queries'
export { expiringFilters } from './rules'
export { daysUntilExpiry, isExpiring, plateStartsWith as plateBegins } from './sql'
