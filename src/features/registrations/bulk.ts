import { z } from 'zod'
import { registrations } from '../../../db/schema'
import type { BulkKind } from '../../platform/lists/bulk/kind'
import { bulkChoice } from '../../platform/lists/bulk/rules'
import { updateRegistration } from './mutations'
import { findRegistration, registrationListings } from './queries'
import { expiringFilters, renewalValues } from './rules'

const set = z.object({
  received: z
    .stringbool()
    .or(z.boolean({ error: 'Must be yes or no' }))
    .optional(),
})

export const registrationBulk: BulkKind<typeof set> = {
  name: 'registrations',
  what: 'Registration',
  many: 'registrations',
  table: registrations,
  set,
  filters: expiringFilters,
  lists: {
    all: (db, clock, query) => registrationListings.all(db, clock, query),
    pending: (db, clock, query) => registrationListings.pending(db, clock, query),
    complete: (db, clock, query) => registrationListings.completed(db, clock, query),
    expiring: (db, clock, query) => registrationListings.expiring(db, clock, query),
    overdue: (db, clock, query) => registrationListings.overdue(db, clock, query),
  },
  find: findRegistration,
  change: (write, id, values) => updateRegistration(write, id, undefined, values),
  follows: ['status'],
  done: ({ received }) => (received === undefined ? undefined : received ? 'received' : 'set to pending'),
}

export const renewMany = bulkChoice(registrationBulk.lists).extend({
  values: z
    .array(renewalValues, { error: 'Must be a list of registrations with their new values' })
    .max(500, 'At most 500 registrations')
    .optional(),
})
