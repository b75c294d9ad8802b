import type { z } from 'zod'
import type { Db } from '../../../../db/client'
import type { BulkItem } from '../../../../db/schema'
import type { Clock } from '../../clock'
import type { Listing } from '../../records/listing'
import type { Write } from '../../records/write'

/** How to undo a bulk change, record by record. Each stored bulk change contains the `name` of its declaration. */
export type UndoKind = Pick<BulkKind, 'name' | 'find'> & {
  back: (write: Write, item: BulkItem) => Promise<unknown>
}

/**
 * How to change several records of a feature at once. Each record is validated as if the user changed only this record.
 */
export type BulkKind<Set extends z.ZodObject = z.ZodObject> = {
  /** Name in URLs. */
  name: string
  /** Names for display: `Transport`, `transports`. */
  what: string
  many: string
  set: Set
  filters: z.ZodObject
  /** Lists in which the user can select rows by filters. The keys are the names of the lists; `all` is the default. */
  lists: Record<string, (db: Db, clock: Clock, query: never) => Listing<{ id: number }>>
  find: (db: Db, clock: Clock, id: number) => Promise<{ version: number } & Record<string, unknown>>
  change: (write: Write, id: number, values: z.output<Set>) => Promise<{ version: number }>
  /**
   * Adds a note to a record whose notes are stored in their own table. If undefined, the note is appended to the field
   * `notes`.
   */
  addNote?: (write: Write, id: number, text: string) => Promise<unknown>
  /** Fields that are derived from the changed fields. An undo restores them too. */
  follows?: string[]
}
