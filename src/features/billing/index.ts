export { isCostKept, refuseAcceptedCost, settleRestoredTransport } from './final-costs'
export { lastMonths } from './months'
export { isInvoiced } from './sql'
export { inDollars } from './statement'
