import type { z } from 'zod'
import type { Db } from '../../../../db/client'
import type { BulkItem } from '../../../../db/schema'
import type { Clock } from '../../clock'
import type { Listing } from '../../records/listing'
import type { Write } from '../../records/write'

/** How records that were changed together are taken back one by one; stored under its `name`. */
export type UndoKind = Pick<BulkKind, 'name' | 'find'> & {
  back: (write: Write, item: BulkItem) => Promise<unknown>
}

/** What a feature says of changing several of its records at once; each is changed by the rules of one. */
export type BulkKind<Set extends z.ZodObject = z.ZodObject> = {
  /** The name in addresses. */
  name: string
  /** As people say it: `Transport`, `transports`. */
  what: string
  many: string
  /** What can be set; every field may be left out. */
  set: Set
  filters: z.ZodObject
  /** Its lists, by name; `all` is meant when nobody says. */
  lists: Record<string, (db: Db, clock: Clock, query: never) => Listing<{ id: number }>>
  find: (db: Db, clock: Clock, id: number) => Promise<{ version: number } & Record<string, unknown>>
  change: (write: Write, id: number, values: z.output<Set>) => Promise<{ version: number }>
  /** Adds a note to a record that has notes of their own; else it is appended to the field `notes`. */
  addNote?: (write: Write, id: number, text: string) => Promise<unknown>
  /** Fields that follow from those that are set, and come back with them. */
  follows?: string[]
}
