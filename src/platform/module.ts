import type { AnyElysia } from 'elysia'
import type { AppContext } from './context'
import type { Schema } from './docs/schema'
import type { BulkKind, UndoKind } from './lists/bulk/kind'
import type { ListExport } from './lists/exports/list'
import type { ListKind } from './lists/kind'
import type { RecordKind } from './records/kind'

/** A feature, as the rest of the program knows it. */
export type Module = {
  /** Its pages and its calls; `lists` are those of all modules that can be fetched as files. */
  routes: (ctx: AppContext, lists: Record<string, ListExport>) => AnyElysia[]
  /** Its lists that can be fetched as files, by the name that `/api/exports/{name}` has for them. */
  exports?: Record<string, ListExport>
  /** Its kinds of records, and its lists that can be saved and laid out. */
  kinds?: RecordKind[]
  lists?: ListKind[]
  /** Its schemas of the API document. */
  schemas?: () => Record<string, Schema>
  /** How several of its records are changed at once. */
  bulk?: BulkKind
  /** How what it did to several at once otherwise is taken back. */
  undoes?: UndoKind
}
