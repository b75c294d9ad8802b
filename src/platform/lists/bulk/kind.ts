import type { z } from 'zod'
import type { Db } from '../../../../db/client'
import type { BulkItem } from '../../../../db/schema'
import type { Clock } from '../../clock'
import type { Listing } from '../../records/listing'
import type { StampedTable } from '../../records/locks'
import type { Write } from '../../records/transactions'
import type { Warning } from '../../records/warnings'

/** Describes how to undo a bulk edit, record by record. A stored bulk edit refers to this description by its `name`. */
export type UndoKind = Pick<BulkKind, 'name' | 'table' | 'find'> & {
  back: (write: Write, item: BulkItem) => Promise<unknown>
}

/** Describes how a bulk edit changes the records of a feature. Each record is validated as in a single edit. */
export type BulkKind<Set extends z.ZodObject = z.ZodObject> = {
  /** Name of the bulk edit in URLs, such as `transports`. */
  name: string
  /** Nouns for the record in messages. `what` is singular (`Transport`), and `many` is plural (`transports`). */
  what: string
  many: string
  table: StampedTable
  set: Set
  filters: z.ZodObject
  /**
   * The lists from which users can select records for a bulk edit. The key is the name of the list, and the value is a
   * function that applies the list's filters. The default list is `all`.
   */
  lists: Record<string, (db: Db, clock: Clock, query: never) => Listing<{ id: number }>>
  find: (db: Db, clock: Clock, id: number) => Promise<{ version: number } & Record<string, unknown>>
  change: (write: Write, id: number, values: z.output<Set>) => Promise<{ version: number }>
  /**
   * Restores earlier values of a record. Needed if the record can have values that users cannot enter. If undefined,
   * `change` restores the values.
   */
  revert?: (write: Write, id: number, values: z.output<Set>) => Promise<unknown>
  /**
   * Adds a note to a record in a separate table of notes. If undefined, a bulk edit appends the note to the record's
   * field `notes`.
   */
  addNote?: (write: Write, id: number, text: string) => Promise<unknown>
  /**
   * Returns the verb of the success message. An example is `delivered` in `8 transports delivered`. If the function is
   * missing or returns undefined, the verb is `changed`.
   */
  done?: (set: Partial<z.output<Set>>) => string | undefined
  /** Returns warnings about a changed record. `after` is the result of `change`. */
  warnings?: (after: never, today: string) => Warning[]
  /** Fields that change automatically with the edited fields. An undo of the bulk edit restores them too. */
  follows?: string[]
}
