/** What other features and the program may use of it. */
export { mailDue } from './mail'
export { dueAtAGlance } from './queries'
