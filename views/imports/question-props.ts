import type { Found, NewName } from '../../db/schema'
import type { DataType, ImportMode } from '../../db/vocabulary'
import type { ShownColumns } from '../../src/platform/imports/kinds'
import type { Option } from '../ui/fields'

export type QuestionProps = {
  id: number
  dataType: DataType
  columns: ShownColumns
  existing: ImportMode
  found: Found
  newNames: NewName[]
  dateOrders: Record<string, 'month' | 'day'>
  /** Default values that apply to all rows, by field. */
  defaults: Record<string, string>
  skipsHidden: boolean
  locations: Option[]
  companies: Option[]
  /**
   * Ids of records with a similar spelling, most similar first. The key is the kind and the unknown name, as in
   * `location Tmpe`.
   */
  likely: Record<string, number[]>
  isAdmin: boolean
}
