import type { Db } from '../../../db/client'
import { titleNotes, titles } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import type { Actor } from '../../platform/records/actor'
import { notesOf } from '../../platform/records/notes'
import { restoreRecord } from '../../platform/records/restore'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Refused } from '../../platform/refusals'
import { ensureVehicle, itsVehicle } from '../vehicles'
import { findTitle, type NewTitle, type Title } from './queries'
import { checkDates } from './rules'

/** Submitted today unless told. @throws Refused for an unknown location */
export async function createTitle(db: Db, actor: Actor, clock: Calendar, values: NewTitle): Promise<Title> {
  return db.transaction(async (tx) => {
    await ensureVehicle(tx, actor, values.unit_number)
    const dated = { ...values, submitted_date: values.submitted_date ?? clock.today() }
    checkDates(dated)
    const { id } = await createRecord(tx, actor, titles, dated)
    return findTitle(tx, clock, id)
  })
}

type Change = Partial<NewTitle> & { transferred_date?: string | null | 'today' }

/** Changes the fields given. @throws Missing, Stale, Refused */
export async function updateTitle(
  db: Db,
  actor: Actor,
  clock: Calendar,
  id: number,
  version: number | undefined,
  { submitted_date, ...change }: Change,
): Promise<Title> {
  return db.transaction(async (tx) => {
    if (change.unit_number) await ensureVehicle(tx, actor, change.unit_number)
    await changeRecord(tx, actor, titles, {
      id,
      version,
      what: 'Title',
      values: (stored) => {
        const submitted = submitted_date ?? stored.submitted_date
        const today = clock.today()
        // A title that is transferred already keeps its day; one that is submitted ahead of time closes on that day.
        const transferred =
          change.transferred_date === 'today'
            ? { transferred_date: stored.transferred_date ?? ([today, submitted].sort()[1] as string) }
            : {}
        const values = { ...change, ...transferred, submitted_date: submitted }
        checkDates({ ...stored, ...values })
        return values
      },
    })
    return findTitle(tx, clock, id)
  })
}

/** Marks a title transferred, today unless told. */
export const transferTitle = (
  db: Db,
  actor: Actor,
  clock: Calendar,
  id: number,
  version?: number,
  transferred_date?: string | null,
) => updateTitle(db, actor, clock, id, version, { transferred_date: transferred_date ?? 'today' })

/** Undoes a transfer. */
export const reopenTitle = (db: Db, actor: Actor, clock: Calendar, id: number, version?: number) =>
  updateTitle(db, actor, clock, id, version, { transferred_date: null })

export const titleEntryNotes = notesOf({
  table: titleNotes,
  parent: titleNotes.title_id,
  key: 'title_id',
  records: titles,
  what: 'Title',
})

/**
 * Notes that somebody asked for a title today, and when to ask again. @throws Missing, Refused for a day that is over
 */
export async function chaseTitle(
  db: Db,
  actor: Actor,
  clock: Calendar,
  id: number,
  { note_text, next_on }: { note_text: string; next_on: string | null },
): Promise<Title> {
  const today = clock.today()
  if (next_on && next_on < today) throw Refused.field('next_on', 'The next day is over already')
  return db.transaction(async (tx) => {
    await changeRecord(tx, actor, titles, {
      id,
      what: 'Title',
      values: { last_chased_on: today, next_chase_on: next_on },
    })
    await titleEntryNotes.add(tx, actor, id, note_text)
    return findTitle(tx, clock, id)
  })
}

/** Deletes a title with its notes. @throws Missing */
export const removeTitle = (db: Db, actor: Actor, id: number) =>
  removeRecord(db, actor, titles, id, 'Title', titleEntryNotes.kept)

/** Takes a deletion back, notes included. @throws Missing, Conflict */
export async function restoreTitle(db: Db, actor: Actor, clock: Calendar, id: number): Promise<Title> {
  await restoreRecord(db, actor, titles, id, 'Title', {
    prepare: itsVehicle(actor),
    belongings: titleEntryNotes.restore,
  })
  return findTitle(db, clock, id)
}
