import type { AnyElysia } from 'elysia'
import type { AppContext } from './context'
import type { Schema } from './docs/schema'
import type { BulkKind, UndoKind } from './lists/bulk/kind'
import type { ListExport } from './lists/exports/list'
import type { ListKind } from './lists/kind'
import type { RecordKind } from './records/kind'

export type Module = {
  /** Pages and API routes of the module. `lists` contains the exports of all modules. */
  routes: (ctx: AppContext, lists: Record<string, ListExport>) => AnyElysia[]
  /** Lists available as files, by their name in `/api/exports/{name}`. */
  exports?: Record<string, ListExport>
  kinds?: RecordKind[]
  lists?: ListKind[]
  schemas?: () => Record<string, Schema>
  bulk?: BulkKind
  /** Describes how to undo the bulk operations of the module, except those of `bulk`. */
  undoes?: UndoKind
}
