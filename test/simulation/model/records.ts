/** Records of the model. Money is in whole cents, and days are `YYYY-MM-DD`. */

export type Transport = {
  kind: 'transports'
  id: number
  unit_number: string
  location_out_id: number
  location_in_id: number
  transport_company_id: number
  move_date: string
  estimated_arrival_date: string | null
  actual_arrival_date: string | null
  status: string
  move_type: string
  final_cost: number | null
  issue_po: boolean
  po_number: string | null
}
export type OslEntry = {
  kind: 'osl'
  id: number
  unit_number: string
  location_id: number
  vendor_id: number | null
  osl_date: string
  status: string
  completed_on: string | null
  has_fees: boolean
  rate: number
  rates: { from: string; rate: number }[]
  grace: number
  waived: number
  /** The latest day on which someone changed the entry or added a note. */
  touched_on: string
}
export type Registration = {
  kind: 'registrations'
  id: number
  unit_number: string
  location_id: number
  date_issued: string
  date_expires: string
  received: boolean
  status: string
  cost: number | null
  vlt: number | null
}
export type Title = {
  kind: 'titles'
  id: number
  unit_number: string
  location_id: number
  submitted_date: string
  transferred_date: string | null
  next_chase_on: string | null
}
export type FleetRecord = Transport | OslEntry | Registration | Title
export type Kind = FleetRecord['kind']
export type Vendor = {
  id: number
  rate: number
  grace: number /** Last day of the latest invoice. */
  invoiced_to: string
}
export type Place = { id: number; name: string }
export type MergedPlace = Place & { names: string[] }
export type Reading = { at: string; mileage: number }

export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
export const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
