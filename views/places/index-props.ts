import type { Role } from '../../db/vocabulary'
import type { Merge } from '../../src/platform/records/master-data/merge'

export type MasterIndexProps<Item> = {
  rows: Item[]
  query: {
    page: number
    per_page: number
    q: string | null
    sort: string
    order: 'asc' | 'desc'
    type: string | null
    is_active?: boolean | undefined
  }
  meta: { page: number; per_page: number; total: number; pages: number }
  /** Merges of the last 24 hours. These merges can still be undone. */
  merges: Merge[]
  /** The types that occur in the stored records, as filter options. */
  types: string[]
}

export type UserRow = {
  id: number
  username: string
  role: Role
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  is_active: boolean
  last_login: Date | null
  sessions: number
  version: number
  hasSecondFactor: boolean
}
