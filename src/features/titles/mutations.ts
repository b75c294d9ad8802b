import { titleNotes, titles } from '../../../db/schema'
import { notesOf } from '../../platform/records/notes'
import { restoreRecord } from '../../platform/records/restore'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord } from '../../platform/records/write'
import { Refused } from '../../platform/refusals'
import { ensureNewVehicle, ensureVehicle, restoreVehicle } from '../vehicles'
import { findTitle, type NewTitle, type Title } from './queries'
import { checkDates } from './rules'

/** @throws Refused when dates are out of order */
export function prepareTitle({ clock }: Pick<Write, 'clock'>, values: NewTitle) {
  const dated = { ...values, submitted_date: values.submitted_date ?? clock.today() }
  checkDates(dated)
  return dated
}

/** @throws Refused when dates are out of order or the location is unknown */
export const createTitle = (write: Write, input: NewTitle): Promise<Title> =>
  inTransaction(write, async (write) => {
    const values = prepareTitle(write, input)
    await ensureVehicle(write, titles, values.unit_number)
    return createRecord(write, titles, values, ({ id }) => findTitle(write.db, write.clock, id))
  })

type Change = Partial<NewTitle> & {
  transferred_date?: string | null | 'today'
  last_chased_on?: string
  next_chase_on?: string | null
}

/**
 * @throws Missing when the title does not exist
 * @throws Stale when another user has changed the title
 * @throws Refused when a value is invalid
 */
export async function updateTitle(
  write: Write,
  id: number,
  version: number | undefined,
  { submitted_date, ...change }: Change,
): Promise<Title> {
  return inTransaction(write, async (write) => {
    const { answer } = await changeRecord(write, titles, {
      id,
      version,
      what: 'Title',
      answer: () => findTitle(write.db, write.clock, id),
      values: async (stored, write) => {
        await ensureNewVehicle(write, titles, stored, change)
        const submitted = submitted_date ?? stored.submitted_date
        const today = write.clock.today()
        // The submission date can be in the future, and checkDates rejects a transfer before the submission.
        const transferred =
          change.transferred_date === 'today'
            ? { transferred_date: stored.transferred_date ?? ([today, submitted].sort()[1] as string) }
            : {}
        const values = { ...change, ...transferred, submitted_date: submitted }
        checkDates({ ...stored, ...values })
        return values
      },
    })
    return answer
  })
}

/**
 * The default date is the stored transfer date. If there is none, the default is today or the submission date,
 * whichever is later.
 */
export const transferTitle = (write: Write, id: number, version?: number, transferred_date?: string | null) =>
  updateTitle(write, id, version, { transferred_date: transferred_date ?? 'today' })

export const reopenTitle = (write: Write, id: number, version?: number) =>
  updateTitle(write, id, version, { transferred_date: null })

export const titleEntryNotes = notesOf({
  table: titleNotes,
  parent: titleNotes.title_id,
  key: 'title_id',
  records: titles,
  what: 'Title',
})

/**
 * Returns the title values for a follow-up made today. `next_chase_on` is the date of the next follow-up.
 * @throws Refused, with the field name in `field`, when the next follow-up is in the past
 */
export function followedUp({ clock }: Pick<Write, 'clock'>, next_chase_on: string | null, field = 'next_chase_on') {
  const today = clock.today()
  if (next_chase_on && next_chase_on < today) throw Refused.field(field, 'The follow-up date must not be in the past')
  return { last_chased_on: today, next_chase_on }
}

/**
 * Records a follow-up made today. `next_on` is the date of the next follow-up.
 * @throws Missing when the title does not exist
 * @throws Refused when the date of the next follow-up is in the past
 */
export async function chaseTitle(
  write: Write,
  id: number,
  { note_text, next_on }: { note_text: string; next_on: string | null },
): Promise<Title> {
  const values = followedUp(write, next_on, 'next_on')
  return inTransaction(write, async (write) => {
    await changeRecord(write, titles, { id, what: 'Title', values })
    await titleEntryNotes.add(write, id, note_text)
    return findTitle(write.db, write.clock, id)
  })
}

/**
 * Deletes a title with its notes.
 * @throws Missing when the title does not exist
 */
export const removeTitle = (write: Write, id: number) =>
  removeRecord(write, titles, id, 'Title', titleEntryNotes.snapshot)

/**
 * Restores a deleted title with its notes.
 * @throws Missing when no deleted title has this id
 * @throws Conflict when a title with this id exists, or its location is missing
 */
export async function restoreTitle(write: Write, id: number): Promise<Title> {
  await restoreRecord(write, titles, id, 'Title', {
    prepare: restoreVehicle(titles),
    restoreRelated: titleEntryNotes.restore,
  })
  return findTitle(write.db, write.clock, id)
}
