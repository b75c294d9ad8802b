/** Public interface of the feature. Other features import nothing else from it. */
export { lastMonths } from './months'
export { isInvoiced } from './sql'
