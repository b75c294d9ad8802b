/** Public interface of the feature. Other features import nothing else from it. */
export { takePoNumber } from './mutations'
export { dueCalendar, findSettings } from './queries'
