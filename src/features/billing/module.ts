import type { Module } from '../../platform/module'
import { billingApis } from './api'
import { COMPANY, VENDOR } from './billers'
import { companyPages } from './company-pages'
import { invoiceFormPages, invoicePages } from './invoice-pages'
import { invoiceKinds } from './kind'
import { billingSchemas } from './schemas'
import { vendorPages } from './vendor-pages'

export const billing: Module = {
  routes: (ctx) => [
    vendorPages(ctx),
    companyPages(ctx),
    invoiceFormPages(ctx, VENDOR),
    invoiceFormPages(ctx, COMPANY),
    invoicePages(ctx),
    ...billingApis(ctx),
  ],
  kinds: invoiceKinds,
  schemas: billingSchemas,
}
