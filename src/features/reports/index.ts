export { presetPeriod } from './calendar'
export { costsByMonth, costsWithin, storedCostsByDay as costsKeptByDay } from './cost-reports'
export { mailRuns } from './mail'
export { runDueSchedules, runsFor } from './runs'
