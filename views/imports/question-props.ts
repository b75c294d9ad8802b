import type { Found, NewName } from '../../db/schema'
import type { DataType, ImportMode } from '../../db/vocabulary'
import type { ShownColumns } from '../../src/platform/imports/kinds'
import type { Option } from '../ui/fields'

/**
 * Suggestions for unrecognized names, values and columns in the file. The form preselects only
 * likely suggestions.
 */
export type Suggestions = {
  /**
   * Ids of records whose name is similar to an unknown name, most similar first. The key is the kind and the unknown
   * name, such as `location Tmpe`.
   * `isLikely` is true if the unknown name probably means the first record, for example because of a typing error.
   */
  names: Record<string, { ids: number[]; isLikely: boolean }>
  /**
   * Allowed value that an unknown value probably means.
   * The key is the field and the unknown value, such as `status Delivrd`.
   */
  words: Record<string, string>
  /** For each column of the file, the suggested field. Null if the program has no suggestion for the column. */
  columns: (string | null)[]
  /** Data type that matches the columns of the file better than the chosen type. Null if there is none. */
  data_type: DataType | null
}

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
  skipsConflicts: boolean
  locations: Option[]
  companies: Option[]
  suggestions: Suggestions
  isAdmin: boolean
}
