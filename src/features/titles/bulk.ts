import { z } from 'zod'
import { optionalDate } from '../../platform/fields'
import type { BulkKind } from '../../platform/lists/bulk/kind'
import { titleEntryNotes, updateTitle } from './mutations'
import { findTitle, titleListings } from './queries'
import { overdueFilters } from './rules'

const set = z.object({ transferred_date: optionalDate.optional() })

export const titleBulk: BulkKind = {
  name: 'titles',
  what: 'Title',
  many: 'titles',
  set,
  filters: overdueFilters,
  lists: {
    all: (db, clock, query) => titleListings.all(db, clock, query),
    pending: (db, clock, query) => titleListings.pending(db, clock, query),
    transferred: (db, clock, query) => titleListings.transferred(db, clock, query),
    overdue: (db, clock, query) => titleListings.overdue(db, clock, query),
  },
  find: findTitle,
  change: (write, id, values) => updateTitle(write, id, undefined, values),
  addNote: titleEntryNotes.add,
}
