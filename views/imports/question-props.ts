import type { Found, NewName } from '../../db/schema'
import type { DataType, ImportMode } from '../../db/vocabulary'
import type { ShownColumns } from '../../src/platform/imports/kinds'
import type { Option } from '../ui/fields'

/** Answers that the program suggests. The form preselects those that differ only by typing errors. */
export type Suggestions = {
  /**
   * Ids of the records with a name similar to an unknown name, most similar first. `isTypo` is true if the first one
   * differs only by typing errors. The key is the kind and the unknown name, as in `location Tmpe`.
   */
  names: Record<string, { ids: number[]; isTypo: boolean }>
  /** The listed value that an unknown word probably means. The key is the field and the word, as in `status Delivrd`. */
  words: Record<string, string>
  /** For each unknown column of the file, the field that it probably fills. */
  columns: (string | null)[]
  /** Another data type that fits the columns of the file better than the chosen one. */
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
