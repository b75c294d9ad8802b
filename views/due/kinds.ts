import type { DueKind } from '../../db/vocabulary'
import type { DueItem } from '../../src/features/due/queries'
import { entityPath, paths, withQuery } from '../../src/platform/paths'

/** What people call a kind of due work, and how one of it is done. */
type Kind = { label: string; verb: string; at: (item: DueItem) => string }

const editTransport = ({ id }: DueItem) => paths.transports.edit(id)
const renew = ({ id }: DueItem) => paths.registrations.renew(id)

export const KINDS: Record<DueKind, Kind> = {
  transport_late: { label: 'Late transports', verb: 'Update', at: editTransport },
  registration_expired: { label: 'Expired registrations', verb: 'Renew', at: renew },
  title_overdue: { label: 'Titles to chase', verb: 'Ask', at: ({ id }) => paths.titles.chase(id) },
  title_missing: {
    label: 'Sold without a title',
    verb: 'Add title',
    at: ({ unit_number }) => withQuery(paths.titles.create, { unit_number }),
  },
  registration_expiring: { label: 'Expiring registrations', verb: 'Renew', at: renew },
  osl_stale: { label: 'OSL to follow up', verb: 'Add note', at: ({ id }) => `${paths.osl.show(id)}#notes` },
  transport_no_cost: { label: 'Delivered without cost', verb: 'Add cost', at: editTransport },
  transport_no_po: { label: 'PO to issue', verb: 'Issue PO', at: ({ id }) => paths.transports.order(id) },
}

/** Where the record itself is looked at. */
export const recordOf = ({ entity, id, unit_number }: DueItem) =>
  entityPath(entity, id) ?? paths.vehicles.show(unit_number)

const inDays = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`

/** How far it is, in words: `11 days late`, `in 2 days`, `today`, `45 days`. */
export function howFar({ kind, days }: Pick<DueItem, 'kind' | 'days'>): string {
  if (kind === 'registration_expiring') return days === 0 ? 'today' : `in ${inDays(days)}`
  return kind === 'transport_late' || kind === 'registration_expired' ? `${inDays(days)} late` : inDays(days)
}
