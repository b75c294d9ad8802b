import type { Found, NewName } from '../../db/schema'
import type { DataType, ImportMode } from '../../db/vocabulary'
import type { ShownColumns } from '../../src/platform/imports/kinds'
import type { Option } from '../ui/fields'

/** The form preselects only likely suggestions. */
export type Suggestions = {
  /**
   * Records with a similar name, by kind and unknown name.
   * For example: `{ 'location Tmpe': { ids: [3, 8], isLikely: true } }`. The most similar record is first. `isLikely`
   * is true if the unknown name probably means this record, for example because of a typing error.
   */
  names: Record<string, { ids: number[]; isLikely: boolean }>
  /** Suggested allowed value for each unknown value of a field. For example: `{ 'status Delivrd': 'Delivered' }`. */
  words: Record<string, string>
  /** For each column of the file, the suggested field. Null if the program has no suggestion for the column. */
  columns: (string | null)[]
  /** Data type that fits the columns better than the chosen type. Null if there is none. */
  data_type: DataType | null
  skip_conflicts: boolean
  /** True until the user has decided about probable mistakes and finished records. */
  asks_conflicts: boolean
}

export type QuestionProps = {
  id: number
  dataType: DataType
  columns: ShownColumns
  existing: ImportMode
  found: Found
  newNames: NewName[]
  dateOrders: Record<string, 'month' | 'day'>
  defaults: Record<string, string>
  skipsHidden: boolean
  skipsConflicts: boolean
  extendsShort: boolean
  locations: Option[]
  companies: Option[]
  suggestions: Suggestions
  isAdmin: boolean
}
