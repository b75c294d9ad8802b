import type { Db } from '../../../db/client'
import type { Clock } from '../clock'
import { kinds } from '../kinds'
import type { FilterName } from './filters'

type Query = Record<string, string>

/** A column that users can show or hide in a list. If `isExtra` is true, the column is hidden by default. */
export type ColumnChoice = { label: string; isExtra: boolean; isCost: boolean }

/** A list that can have saved views and a layout per user. Each feature declares its lists in `lists.ts`. */
export type ListKind = {
  name: string
  label: string
  path: string
  /**
   * Counts the rows of the list that match a query string.
   * @throws Refused when the filters are invalid
   */
  count: (db: Db, clock: Clock, query: Query) => PromiseLike<number>
  columns?: () => ColumnChoice[]
  filters?: Partial<Record<FilterName, string>>
}

export const listNames = () => kinds('lists').map(({ name }) => name)
export const listsWithColumns = () => kinds('lists').filter(({ columns }) => columns !== undefined)

export const findList = (name: string): ListKind | undefined => kinds('lists').find((list) => list.name === name)
