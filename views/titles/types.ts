export type TitleRow = {
  id: number
  unit_number: string
  location_id: number
  location_name: string
  dealer_name: string | null
  dealer_contact: string | null
  submitted_date: string
  transferred_date: string | null
  days_pending: number
  notes: string | null
  version: number
  created_at: Date
  created_by: string | null
  updated_at: Date
  updated_by: string | null
}

export type TitleQuery = { page: number; per_page: number; q: string | null; sort: string; order: 'asc' | 'desc' }
export type Meta = { page: number; per_page: number; total: number; pages: number }
