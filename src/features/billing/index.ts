export { lastMonths } from './months'
export { isInvoiced } from './sql'
