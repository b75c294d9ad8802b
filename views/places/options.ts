import type { Option } from '../ui/fields'

type WithAliases = { other_names?: string[] | null }
export type LocationChoice = WithAliases & { id: number; location_code: string; location_name: string }
export type CompanyChoice = WithAliases & { id: number; company_name: string }
export type VendorChoice = WithAliases & { id: number; vendor_name: string }

/** Typing an alias in a select finds the option of its record. */
const aliasData = ({ other_names }: WithAliases) =>
  other_names?.length ? { data: { 'data-also': other_names.join(', ') } } : {}

export const locationLabel = ({ location_name, location_code }: Omit<LocationChoice, 'id'>) =>
  `${location_name} (${location_code})`

export const locationOptions = (locations: LocationChoice[]): Option[] =>
  locations.map((location) => ({ value: location.id, label: locationLabel(location), ...aliasData(location) }))
export const companyOptions = (companies: CompanyChoice[]): Option[] =>
  companies.map(({ id, company_name, ...names }) => ({ value: id, label: company_name, ...aliasData(names) }))
export const vendorOptions = (vendors: VendorChoice[]): Option[] =>
  vendors.map(({ id, vendor_name, ...names }) => ({ value: id, label: vendor_name, ...aliasData(names) }))
