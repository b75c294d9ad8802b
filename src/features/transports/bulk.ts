import { z } from 'zod'
import { transports } from '../../../db/schema'
import { TRANSPORT_STATUSES } from '../../../db/vocabulary'
import { choice, optionalDate, optionalMoney, requiredChoiceOf } from '../../platform/fields'
import type { BulkKind } from '../../platform/lists/bulk/kind'
import { refuseAcceptedCost } from '../billing'
import { transportListings } from './listings'
import { revertTransport, updateTransport } from './mutations'
import { findTransport } from './queries'
import { checkArrival, transportFilters } from './rules'
import { earlyDelivery } from './warnings'

const set = z.object({
  status: choice(TRANSPORT_STATUSES, 'Status is required').optional(),
  actual_arrival_date: optionalDate.optional(),
  estimated_arrival_date: optionalDate.optional(),
  final_cost: optionalMoney.optional(),
  transport_company_id: requiredChoiceOf('Transport company is required').optional(),
})

export const transportBulk: BulkKind<typeof set> = {
  name: 'transports',
  what: 'Transport',
  many: 'transports',
  table: transports,
  set,
  filters: transportFilters,
  lists: {
    all: (db, clock, query) => transportListings.all(db, clock, query),
    active: (db, clock, query) => transportListings.active(db, clock, query),
    completed: (db, clock, query) => transportListings.completed(db, clock, query),
  },
  find: (db, _clock, id) => findTransport(db, id),
  async change(write, id, values) {
    // Only delivered transports store an arrival date. Without this check, the date would be lost without a message.
    if (values.actual_arrival_date && values.status === undefined) {
      const { status, actual_arrival_date } = await findTransport(write.db, id)
      checkArrival({ status, actual_arrival_date: values.actual_arrival_date as string }, actual_arrival_date)
    }
    return updateTransport(write, id, undefined, values)
  },
  async revert(write, id, values) {
    if (values.final_cost !== undefined) await refuseAcceptedCost(write, id, values.final_cost as number | null)
    return revertTransport(write, id, values)
  },
  warnings: earlyDelivery,
  follows: ['status', 'actual_arrival_date'],
  done: ({ status }) => status && (status === 'Delivered' ? 'delivered' : `set to ${status}`),
}
