/** What other features and the program may use of it. */
export { takePoNumber } from './mutations'
export { type DueCalendar, dueCalendar, findSettings } from './queries'
