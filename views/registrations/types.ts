import type { RegistrationStatus, RegistrationType } from '../../db/vocabulary'

export type RegistrationRow = {
  id: number
  unit_number: string
  location_name: string
  plate_number: string
  state_province: string
  date_issued: string
  date_expires: string
  registration_type: RegistrationType
  cost: number | null
  vlt: number | null
  received: boolean
  status: RegistrationStatus
  days_until_expiry: number
  version: number
}

export type RegistrationQuery = {
  page: number
  per_page: number
  q: string | null
  sort: string
  order: 'asc' | 'desc'
  registration_type: string | null
}
export type Meta = { page: number; per_page: number; total: number; pages: number }
