import type { AnyElysia } from 'elysia'
import type { AppContext } from './context'
import type { Schema } from './docs/schema'
import type { BulkKind, UndoKind } from './lists/bulk/kind'
import type { ListExport } from './lists/exports/list'
import type { ListKind } from './lists/kind'
import type { RecordKind } from './records/kind'

export type Module = {
  /** Creates the page and API routes of the feature. `lists` contains the downloadable lists of all features. */
  routes: (ctx: AppContext, lists: Record<string, ListExport>) => AnyElysia[]
  /** Lists that users can download, by their name in `/api/exports/{name}`. */
  exports?: Record<string, ListExport>
  kinds?: RecordKind[]
  lists?: ListKind[]
  schemas?: () => Record<string, Schema>
  bulk?: BulkKind
  /** How to undo a bulk operation other than a bulk edit. An example is the renewal of several registrations. */
  undoes?: UndoKind
}
