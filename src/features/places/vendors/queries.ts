import { vendors } from '../../../../db/schema'
import { masterQueries } from '../../../platform/records/master-data/queries'
import { naturally } from '../../../platform/records/natural-order'

export type Vendor = typeof vendors.$inferSelect

export const vendorQueries = masterQueries<Vendor>({
  table: vendors,
  noun: 'Vendor',
  unique: { field: 'vendor_name', message: 'Vendor name already exists' },
  called: [vendors.vendor_name],
  filter: 'vendor_id',
  type: vendors.vendor_type,
  searched: [vendors.vendor_type, vendors.contact_person, vendors.email],
  sorts: {
    vendor_name: naturally(vendors.vendor_name),
    vendor_type: naturally(vendors.vendor_type),
    contact_person: naturally(vendors.contact_person),
    created_at: vendors.created_at,
    updated_at: vendors.updated_at,
  },
})
