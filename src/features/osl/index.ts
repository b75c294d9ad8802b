export { countActiveOsl, latestOsl, recentOsl, sumOfStorageFees } from './queries'
export { completedPeriod } from './rules'
export {
  chargedDays,
  chargedRuns,
  chargesIn,
  completedOn,
  countsUntil,
  daysOutOfService,
  feeWithin,
  isActive,
  rateOn,
  stoodWithin,
  waivedWithin,
} from './sql'
