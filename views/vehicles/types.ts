import type { OslRow } from '../osl/types'
import type { RegistrationRow } from '../registrations/types'
import type { TitleRow } from '../titles/types'
import type { TransportRow } from '../transports/types'

export type VehicleRow = {
  id: number
  unit_number: string
  vin: string | null
  model_year: number | null
  current_mileage: number | null
  current_status: string | null
  current_location: string | null
  created_at: Date
  created_by: string | null
  updated_at: Date
  updated_by: string | null
}

export type History = {
  vehicle: VehicleRow
  transports: TransportRow[]
  osl_logs: OslRow[]
  registrations: RegistrationRow[]
  titles: TitleRow[]
}
