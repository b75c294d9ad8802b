import type { Module } from '../module'
import { vendorBillingApi } from './api'
import { vendorBillingPages } from './pages'

/** What storage at vendors may cost, and their invoices set against it. */
export const vendorBilling: Module = {
  routes: (ctx) => [vendorBillingPages(ctx), vendorBillingApi(ctx)],
}
