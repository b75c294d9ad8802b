/** What other features and the program may use of it. */
export { presetPeriod } from './calendar'
export { costsByMonth, costsKeptByDay, costsWithin } from './cost-reports'
export { mailRuns } from './mail'
export { runDueSchedules, runsFor } from './runs'
