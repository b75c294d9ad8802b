/** What other features and the program may use of it. */
export { countPendingTitles, titlesOfVehicle } from './queries'
export { daysPending, isPending } from './sql'
