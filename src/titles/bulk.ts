import { z } from 'zod'
import type { BulkKind } from '../bulk/kind'
import { optionalDate } from '../fields'
import { titleEntryNotes, updateTitle } from './mutations'
import { findTitle, type TitleFilters, titleListings } from './queries'
import { OVERDUE_DAYS, titleFilters } from './rules'

const set = z.object({ transferred_date: optionalDate.optional() })

export const titleBulk: BulkKind = {
  name: 'titles',
  what: 'Title',
  many: 'titles',
  set,
  filters: titleFilters,
  lists: {
    all: (db, clock, query) => titleListings.all(db, clock, query),
    pending: (db, clock, query) => titleListings.pending(db, clock, query),
    transferred: (db, clock, query) => titleListings.transferred(db, clock, query),
    overdue: (db, clock, query: TitleFilters) => titleListings.overdue(db, clock, { ...query, days: OVERDUE_DAYS }),
  },
  find: findTitle,
  change: (db, actor, clock, id, values) => updateTitle(db, actor, clock, id, undefined, values),
  addNote: titleEntryNotes.add,
}
