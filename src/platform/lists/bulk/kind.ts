import type { z } from 'zod'
import type { Db } from '../../../../db/client'
import type { BulkItem } from '../../../../db/schema'
import type { Clock } from '../../clock'
import type { Listing } from '../../records/listing'
import type { Write } from '../../records/write'

/** How to undo a bulk change, record by record. Each stored bulk change refers to this declaration by `name`. */
export type UndoKind = Pick<BulkKind, 'name' | 'find'> & {
  back: (write: Write, item: BulkItem) => Promise<unknown>
}

/** How to change several records of a feature at once. Each record follows the rules of a single change. */
export type BulkKind<Set extends z.ZodObject = z.ZodObject> = {
  /** Name in URLs. */
  name: string
  /** Names for display: `Transport`, `transports`. */
  what: string
  many: string
  set: Set
  filters: z.ZodObject
  /** Lists whose rows can be selected by filters, by list name. `all` is the default. */
  lists: Record<string, (db: Db, clock: Clock, query: never) => Listing<{ id: number }>>
  find: (db: Db, clock: Clock, id: number) => Promise<{ version: number } & Record<string, unknown>>
  change: (write: Write, id: number, values: z.output<Set>) => Promise<{ version: number }>
  /**
   * Optional. Adds a note to a record whose notes are stored separately. Without it, notes are appended to the `notes`
   * field.
   */
  addNote?: (write: Write, id: number, text: string) => Promise<unknown>
  /** Fields that are derived from the changed fields. An undo restores them too. */
  follows?: string[]
}
