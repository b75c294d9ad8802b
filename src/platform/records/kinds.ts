import {
  locations,
  oslEntries,
  registrations,
  savedViews,
  titles,
  transportCompanies,
  transports,
  uploads,
  users,
  vehicles,
  vendorInvoices,
  vendors,
} from '../../../db/schema'

/** What people call a record of a table: mostly the unit that it is about. */
const CALLED = {
  transports: { table: transports, by: transports.unit_number },
  osl_entries: { table: oslEntries, by: oslEntries.unit_number },
  registrations: { table: registrations, by: registrations.unit_number },
  titles: { table: titles, by: titles.unit_number },
  vehicles: { table: vehicles, by: vehicles.unit_number },
  locations: { table: locations, by: locations.location_name },
  transport_companies: { table: transportCompanies, by: transportCompanies.company_name },
  vendors: { table: vendors, by: vendors.vendor_name },
  users: { table: users, by: users.username },
  uploads: { table: uploads, by: uploads.file_name },
  vendor_invoices: { table: vendorInvoices, by: vendorInvoices.number },
  saved_views: { table: savedViews, by: savedViews.name },
}
/** How a record of a table is called; undefined for one that has no name of its own. */
export const calledBy = (entity: string) =>
  Object.hasOwn(CALLED, entity) ? CALLED[entity as keyof typeof CALLED] : undefined
