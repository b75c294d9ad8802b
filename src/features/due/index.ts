export { mailDue } from './mail'
export { dueAtAGlance } from './queries'
