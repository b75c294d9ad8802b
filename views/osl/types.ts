import type { OslStatus } from '../../db/vocabulary'

export type OslRow = {
  id: number
  unit_number: string
  ra_number: string | null
  ta_log_number: string | null
  po_number: string | null
  osl_date: string
  osl_mileage: number | null
  location_id: number
  location_name: string
  vendor_id: number | null
  vendor_name: string | null
  key_location: string | null
  problem: string
  contact_phone: string | null
  contact_email: string | null
  fuel_level: string | null
  generator_hours: number | null
  propane_level: string | null
  exchange_location: string | null
  non_rev_number: string | null
  fleet_registration_mailed: boolean
  storage_fees_applicable: boolean
  storage_fee_daily_rate: number | null
  storage_fees_total: number
  days_out_of_service: number
  completed_at: Date | null
  completed_on: string | null
  model_year: number | null
  status: OslStatus
  notes: string | null
  version: number
  created_at: Date
  created_by: string | null
  updated_at: Date
  updated_by: string | null
}

export type OslQuery = {
  page: number
  per_page: number
  q: string | null
  sort: string
  order: 'asc' | 'desc'
  status: string | null
  location_id: number | null
}
export type Meta = { page: number; per_page: number; total: number; pages: number }
