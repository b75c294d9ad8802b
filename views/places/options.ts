import type { Option } from '../ui/fields'

type Known = { other_names?: string[] | null }
export type LocationChoice = Known & { id: number; location_code: string; location_name: string }
export type CompanyChoice = Known & { id: number; company_name: string }
export type VendorChoice = Known & { id: number; vendor_name: string }

/** Aliases, which type-ahead also matches. */
const also = ({ other_names }: Known) => (other_names?.length ? { data: { 'data-also': other_names.join(', ') } } : {})

/** Label of a location in selects: `Tempe (TMP)`. */
export const locationLabel = ({ location_name, location_code }: Omit<LocationChoice, 'id'>) =>
  `${location_name} (${location_code})`

export const locationOptions = (locations: LocationChoice[]): Option[] =>
  locations.map((location) => ({ value: location.id, label: locationLabel(location), ...also(location) }))
export const companyOptions = (companies: CompanyChoice[]): Option[] =>
  companies.map(({ id, company_name, ...known }) => ({ value: id, label: company_name, ...also(known) }))
export const vendorOptions = (vendors: VendorChoice[]): Option[] =>
  vendors.map(({ id, vendor_name, ...known }) => ({ value: id, label: vendor_name, ...also(known) }))
