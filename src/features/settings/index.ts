export { takePoNumber } from './mutations'
export { dueCalendar, findSettings } from './queries'
