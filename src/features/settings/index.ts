/** What other features and the program may use of it. */
export { takePoNumber } from './mutations'
export { dueCalendar, findSettings } from './queries'
