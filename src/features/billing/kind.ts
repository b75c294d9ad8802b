import { vendorInvoiceLines, vendorInvoices } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { RecordKind } from '../../platform/records/kind'
import { findInvoice } from './queries'

export const invoiceKinds: RecordKind[] = [
  {
    table: vendorInvoices,
    noun: 'invoice',
    many: 'invoices',
    calledBy: vendorInvoices.number,
    page: ({ id }) => paths.invoices.show(id),
    history: 'cost viewers',
    restore: { path: paths.invoices.restore, role: 'admin' },
    find: (db, _clock, id) => findInvoice(db, id),
  },
  { table: vendorInvoiceLines, noun: 'invoice line', many: 'invoice lines', history: 'cost viewers' },
]
