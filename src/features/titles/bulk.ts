import { z } from 'zod'
import { titles } from '../../../db/schema'
import { optionalDate } from '../../platform/fields'
import type { BulkKind } from '../../platform/lists/bulk/kind'
import { followedUp, titleEntryNotes, updateTitle } from './mutations'
import { findTitle, titleListings } from './queries'
import { overdueFilters } from './rules'

const set = z.object({
  transferred_date: optionalDate.optional(),
  /** Setting this date also records that the user followed up today. */
  next_chase_on: optionalDate.optional(),
})

export const titleBulk: BulkKind<typeof set> = {
  name: 'titles',
  what: 'Title',
  many: 'titles',
  table: titles,
  set,
  filters: overdueFilters,
  lists: {
    all: (db, clock, query) => titleListings.all(db, clock, query),
    pending: (db, clock, query) => titleListings.pending(db, clock, query),
    transferred: (db, clock, query) => titleListings.transferred(db, clock, query),
    overdue: (db, clock, query) => titleListings.overdue(db, clock, query),
  },
  find: findTitle,
  change: (write, id, { next_chase_on, ...values }) => {
    // An undo restores both stored follow-up dates, so it must not record a follow-up today.
    const isUndo = Object.hasOwn(values, 'last_chased_on')
    const followUp = next_chase_on && !isUndo ? followedUp(write, next_chase_on) : isUndo ? { next_chase_on } : {}
    return updateTitle(write, id, undefined, { ...values, ...followUp })
  },
  follows: ['last_chased_on'],
  done: ({ transferred_date, next_chase_on }) =>
    transferred_date ? 'transferred' : next_chase_on ? 'followed up' : undefined,
  addNote: titleEntryNotes.add,
}
