/** What other features and the program may use of it. */
export { lastMonths } from './months'
export { isInvoiced } from './sql'
