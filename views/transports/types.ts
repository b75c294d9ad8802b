import type { MoveType, TransportStatus } from '../../db/vocabulary'

export type TransportRow = {
  id: number
  unit_number: string
  ra_number: string | null
  location_out_name: string
  location_in_name: string
  move_date: string
  estimated_arrival_date: string | null
  actual_arrival_date: string | null
  move_type: MoveType
  transport_company_name: string
  status: TransportStatus
  estimated_cost: number | null
  final_cost: number | null
  version: number
}

export type TransportQuery = {
  page: number
  per_page: number
  q: string | null
  sort: string
  order: 'asc' | 'desc'
  status: string | null
  move_type: string | null
  start_date: string | null
  end_date: string | null
}

export type Meta = { page: number; per_page: number; total: number; pages: number }
