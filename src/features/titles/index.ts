export { countPendingTitles, latestTitles } from './queries'
export { daysPending, isPending } from './sql'
