/** What other features and the program may use of it. */
export { titleBulk } from './bulk'
export { countPendingTitles, titlesOfVehicle } from './queries'
export { daysPending, isOverdue, isPending, stageOf } from './sql'
