/** What other features and the program may use of it. */
export { mailDue } from './mail'
export { dueAtAGlance, listDue } from './queries'
export { dueFilters } from './rules'
