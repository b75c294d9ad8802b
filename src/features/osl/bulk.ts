import { z } from 'zod'
import { oslEntries } from '../../../db/schema'
import { OSL_STATUSES } from '../../../db/vocabulary'
import { choice, optionalDate, requiredChoiceOf } from '../../platform/fields'
import type { BulkKind } from '../../platform/lists/bulk/kind'
import { oslEntryNotes, updateOslEntry } from './mutations'
import { findOslEntry, oslListings } from './queries'
import { oslFilters } from './rules'

const set = z.object({
  status: choice(OSL_STATUSES, 'Status is required').optional(),
  completed_on: optionalDate.optional(),
  location_id: requiredChoiceOf('Location is required').optional(),
})

export const oslBulk: BulkKind<typeof set> = {
  name: 'osl',
  what: 'OSL entry',
  many: 'OSL entries',
  table: oslEntries,
  set,
  filters: oslFilters,
  lists: {
    all: (db, clock, query) => oslListings.all(db, clock, query),
    active: (db, clock, query) => oslListings.active(db, clock, query),
  },
  find: findOslEntry,
  change: (write, id, values) => updateOslEntry(write, id, undefined, values),
  addNote: oslEntryNotes.add,
  follows: ['status', 'completed_on'],
  done: ({ status }) => status && (status === 'Completed' ? 'completed' : `set to ${status}`),
}
