import { desc, eq, getTableName } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import type { Changes } from '../../../db/schema'
import { Missing } from '../refusals'
import { audit, changesBetween, inTransaction, type Write } from './write'

/**
 * Notes of a record: what was written, by whom and when. They are never edited, and go and come back with their
 * record.
 */

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
  /** The column that names the record, and its key in an entry of the audit trail. */
  parent: AnyPgColumn
  key: string
  records: ParentTable
  /** As people call such a record, for `… not found`. */
  what: string
}

/** Under which a deleted record's notes stand in its entry of the audit trail. */
const KEPT = 'notes_written'

export function notesOf({ table, parent, key, records, what }: Kind) {
  const columns = {
    id: table.id,
    note_text: table.note_text,
    created_at: table.created_at,
    created_by: table.created_by,
  }
  const entity = getTableName(table)

  /** Newest first. @throws Missing when there is no such record */
  async function list(db: Db, id: number): Promise<Note[]> {
    const [record] = await db
      .select({ id: records.id })
      .from(records as PgTable)
      .where(eq(records.id, id))
    if (!record) throw new Missing(what)
    const found = await db
      .select(columns)
      .from(table as PgTable)
      .where(eq(parent, id))
      .orderBy(desc(table.id))
    return found as Note[]
  }

  return {
    list,

    /** @throws Missing when there is no such record */
    add: (write: Write, id: number, note_text: string): Promise<Note> =>
      inTransaction(write, async (write) => {
        await list(write.db, id)
        const values = { [key]: id, note_text, created_at: write.actor.now, created_by: write.actor.username }
        const [added] = (await write.db
          .insert(table)
          .values(values as never)
          .returning(columns)) as Note[]
        await audit(write, 'create', entity, added!.id, changesBetween(null, { [key]: id, note_text }))
        return added!
      }),

    /** The notes of a record that is about to go, for the entry of its deletion. */
    async kept(tx: Db, id: number): Promise<Record<string, unknown>> {
      const notes = await list(tx, id)
      return notes.length ? { [KEPT]: notes } : {}
    },

    /** Brings back the notes that went with a record. Runs within `tx`. */
    async restore(tx: Db, id: number, deletion: Changes): Promise<void> {
      const notes = (deletion[KEPT]?.old ?? []) as Note[]
      const rows = notes.map((note) => ({ ...note, created_at: new Date(note.created_at), [key]: id }))
      if (rows.length) await tx.insert(table).values(rows as never)
    },
  }
}
