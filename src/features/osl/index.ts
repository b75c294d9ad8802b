export { countActiveOsl, oslOfVehicle, recentOsl, sumOfStorageFees } from './queries'
export { completedPeriod } from './rules'
export {
  chargedDays,
  chargedRuns,
  chargesWithin,
  completedOn,
  countsUntil,
  daysOutOfService,
  feeWithin,
  isActive,
  rateOn,
  stoodWithin,
  waivedWithin,
} from './sql'
