export { lastMonths } from './months'
export { settleRestoredTransport } from './mutations'
export { isInvoiced } from './sql'
export { inDollars } from './statement'
