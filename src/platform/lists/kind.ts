import type { Db } from '../../../db/client'
import type { Clock } from '../clock'
import { kinds } from '../kinds'
import type { FilterName } from './filters'

type Query = Record<string, string>

/** A column that can be hidden, or with `isExtra` added. */
export type ColumnChoice = { label: string; isExtra: boolean; isCost: boolean }

/** A list that can be saved with its filters and laid out; its feature declares it in `lists.ts`. */
export type ListKind = {
  name: string
  label: string
  path: string
  /** How many rows its page shows for a query. @throws Refused when the filters are not understood */
  count: (db: Db, clock: Clock, query: Query) => PromiseLike<number>
  /** The columns that can be chosen; none unless given. */
  columns?: () => ColumnChoice[]
  /** The filters of its dialog, with their labels. */
  filters?: Partial<Record<FilterName, string>>
}

export const listNames = () => kinds('lists').map(({ name }) => name)
export const listsWithColumns = () => kinds('lists').filter(({ columns }) => columns !== undefined)

export const listNamed = (name: string): ListKind | undefined => kinds('lists').find((list) => list.name === name)
