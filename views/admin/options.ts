import type { Option } from '../ui/fields'

/** Master data as the choices of a select, each with the words by which it is known everywhere. */

export type LocationChoice = { id: number; location_code: string; location_name: string }
export type CompanyChoice = { id: number; company_name: string }
export type VendorChoice = { id: number; vendor_name: string }

export const locationOptions = (locations: LocationChoice[]): Option[] =>
  locations.map(({ id, location_code, location_name }) => ({
    value: id,
    label: `${location_name} (${location_code})`,
  }))
export const companyOptions = (companies: CompanyChoice[]): Option[] =>
  companies.map(({ id, company_name }) => ({ value: id, label: company_name }))
export const vendorOptions = (vendors: VendorChoice[]): Option[] =>
  vendors.map(({ id, vendor_name }) => ({ value: id, label: vendor_name }))
