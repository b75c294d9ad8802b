/** Public interface of the feature. Other features import nothing else from it. */
export { mailDue } from './mail'
export { dueAtAGlance } from './queries'
