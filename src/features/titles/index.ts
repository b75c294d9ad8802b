export { countPendingTitles, titlesOfVehicle } from './queries'
export { daysPending, isPending } from './sql'
