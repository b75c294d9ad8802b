import { vendorInvoiceLines, vendorInvoices } from '../../../db/schema'
import { list, number, object, orNull, record, ref, type Schema, string } from '../../platform/docs/schema'

export const billingSchemas = (): Record<string, Schema> => ({
  VendorInvoiceLine: record(vendorInvoiceLines),
  VendorInvoice: record(vendorInvoices, {
    vendor_name: orNull(string),
    company_name: orNull(string),
    totals: object({ billed: number, expected: number, accepted: number, disputed: number, open: number }),
    lines: list(ref('VendorInvoiceLine')),
  }),
})
