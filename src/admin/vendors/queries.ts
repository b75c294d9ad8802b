import { sql } from 'drizzle-orm'
import { vendors } from '../../../db/schema'
import { masterQueries } from '../master-data'

export type Vendor = typeof vendors.$inferSelect

/** Nothing refers to vendors yet, so their usage is always 0 and they can be deleted. */
export const vendorQueries = masterQueries<Vendor>({
  table: vendors,
  noun: 'Vendor',
  unique: { field: 'vendor_name', message: 'Vendor name already exists' },
  name: vendors.vendor_name,
  type: vendors.vendor_type,
  searched: [vendors.vendor_name, vendors.vendor_type, vendors.contact_person, vendors.email],
  sorts: {
    vendor_name: vendors.vendor_name,
    vendor_type: vendors.vendor_type,
    contact_person: vendors.contact_person,
    created_at: vendors.created_at,
  },
  usage: (id) => sql`select 0 as transports, 0 as osl, 0 as registrations, 0 as titles from ${vendors} where id = ${id}`,
})
