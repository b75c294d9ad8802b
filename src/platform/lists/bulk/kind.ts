import type { z } from 'zod'
import type { Db } from '../../../../db/client'
import type { BulkItem } from '../../../../db/schema'
import type { Clock } from '../../clock'
import type { Listing } from '../../records/listing'
import type { Write } from '../../records/write'

/** Undo of a bulk change, record by record. Stored under its `name`. */
export type UndoKind = Pick<BulkKind, 'name' | 'find'> & {
  back: (write: Write, item: BulkItem) => Promise<unknown>
}

/** Bulk change of a feature's records. Each record follows the rules of a single change. */
export type BulkKind<Set extends z.ZodObject = z.ZodObject> = {
  /** Name in URLs. */
  name: string
  /** Names for display: `Transport`, `transports`. */
  what: string
  many: string
  set: Set
  filters: z.ZodObject
  /** Its lists by name; `all` is the default. */
  lists: Record<string, (db: Db, clock: Clock, query: never) => Listing<{ id: number }>>
  find: (db: Db, clock: Clock, id: number) => Promise<{ version: number } & Record<string, unknown>>
  change: (write: Write, id: number, values: z.output<Set>) => Promise<{ version: number }>
  /** Adds a note to a record with separate notes. If absent, the note is appended to the `notes` field. */
  addNote?: (write: Write, id: number, text: string) => Promise<unknown>
  /** Fields derived from the set fields; an undo restores them too. */
  follows?: string[]
}
