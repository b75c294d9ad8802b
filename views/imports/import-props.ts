import type { Found, NewName } from '../../db/schema'
import type { DataType, ImportMode, UploadStatus } from '../../db/vocabulary'
import { showCount } from '../format'

export type ShownImport = {
  id: number
  data_type: DataType
  file_name: string
  status: UploadStatus
  existing: ImportMode
  /** Id of the earlier import whose failed rows this import corrects. */
  mends: number | null
  row_count: number
  progress: number
  imported: number
  updated: number
  failed: number
  duplicates: number
  message: string
  created_at: Date
  created_by: string | null
  undone_at: Date | null
  undone_by: string | null
  found: Found | null
  date_orders: Record<string, 'month' | 'day'>
  defaults: Record<string, string>
  skip_hidden: boolean
  skip_conflicts: boolean
  extend_short: boolean
  new_names: NewName[]
  validation_errors: string[]
  undo: { removed: number; restored: number; kept: { entity: string; id: number; label: string }[] } | null
}

export type FixImport = Pick<ShownImport, 'id' | 'file_name' | 'status' | 'row_count' | 'imported' | 'updated'>

export const records = (n: number) => `${showCount(n)} ${n === 1 ? 'record' : 'records'}`
