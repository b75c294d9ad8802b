import { desc, eq, getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import type { Changes } from '../../../db/schema'
import { Missing, Refused } from '../refusals'
import { audit, changesBetween } from './audit-entry'
import { inTransaction, type Write } from './transactions'

/** A note is never edited. Notes are deleted and restored with their record. */

export type Note = { id: number; note_text: string; created_at: Date; created_by: string | null }

type NotesTable = PgTable & {
  id: AnyPgColumn
  note_text: AnyPgColumn
  created_at: AnyPgColumn
  created_by: AnyPgColumn
}
type ParentTable = PgTable & { id: AnyPgColumn }

type Kind = {
  table: NotesTable
  /** Column of the notes table that refers to the record. `key` is the name of this column in audit entries. */
  parent: AnyPgColumn
  key: string
  records: ParentTable
  /** Noun for the record in the error message `… not found`. */
  what: string
}

/** Key of the notes in the audit entry of a deletion. */
const NOTES_FIELD = 'notes_written'

/**
 * Maximum numbers of notes on a record's page. `LATEST` applies at first. `MOST_SHOWN` applies after the user asks for
 * older notes.
 */
const LATEST = 50
const MOST_SHOWN = 500

/** Maximum number of notes on a record. Deleting and restoring a record reads all of them. */
const NOTES_LIMIT = 1000

/** `notes` has the newest note first. `hasMore` is true if older notes were left out. */
export type LatestNotes = { notes: Note[]; hasMore: boolean }

export function notesOf({ table, parent, key, records, what }: Kind) {
  const columns = {
    id: table.id,
    note_text: table.note_text,
    created_at: table.created_at,
    created_by: table.created_by,
  }
  const entity = getTableName(table)

  /** @throws Missing when the record does not exist */
  async function checkExists(db: Db, id: number): Promise<void> {
    const [record] = await db
      .select({ id: records.id })
      .from(records as PgTable)
      .where(eq(records.id, id))
    if (!record) throw new Missing(what)
  }

  const newestFirst = (db: Db, id: number) =>
    db
      .select(columns)
      .from(table as PgTable)
      .where(eq(parent, id))
      .orderBy(desc(table.id))

  /** @throws Missing when the record does not exist */
  async function list(db: Db, id: number): Promise<Note[]> {
    await checkExists(db, id)
    return (await newestFirst(db, id)) as Note[]
  }

  return {
    list,

    /** @throws Missing when the record does not exist */
    async latest(db: Db, id: number, { isLong }: { isLong: boolean }): Promise<LatestNotes> {
      await checkExists(db, id)
      const limit = isLong ? MOST_SHOWN : LATEST
      const notes = (await newestFirst(db, id).limit(limit + 1)) as Note[]
      return { notes: notes.slice(0, limit), hasMore: notes.length > limit }
    },

    /** @throws Missing when the record does not exist, Refused when it has too many notes */
    add: (write: Write, id: number, note_text: string): Promise<Note> =>
      inTransaction(write, async (write) => {
        await checkExists(write.db, id)
        if ((await write.db.$count(table, eq(parent, id))) >= NOTES_LIMIT)
          throw Refused.field('note_text', `This record has ${NOTES_LIMIT.toLocaleString('en-US')} notes, the maximum`)
        const values = { [key]: id, note_text, created_at: write.actor.now, created_by: write.actor.username }
        const [added] = (await write.db
          .insert(table)
          .values(values as never)
          .returning(columns)) as Note[]
        await audit(write, 'create', entity, added!.id, changesBetween(null, { [key]: id, note_text }))
        return added!
      }),

    /** Returns a record's notes for the audit entry of its deletion. */
    async snapshot(tx: Db, id: number): Promise<Record<string, unknown>> {
      const notes = await list(tx, id)
      return notes.length ? { [NOTES_FIELD]: notes } : {}
    },

    async restore(tx: Db, id: number, deletion: Changes): Promise<void> {
      const notes = (deletion[NOTES_FIELD]?.old ?? []) as Note[]
      const rows = notes.map((note) => ({ ...note, created_at: new Date(note.created_at), [key]: id }))
      // A statement can have at most 65,535 parameters. Imports and earlier versions can have stored many notes.
      for (let at = 0; at < rows.length; at += NOTES_LIMIT)
        await tx.insert(table).values(rows.slice(at, at + NOTES_LIMIT) as never)
    },
  }
}
