import { OSL_STATUSES, TRANSPORT_STATUSES } from '../db/vocabulary'
import { paths } from '../src/platform/paths'

export type StatusDropdownProps = {
  kind: keyof typeof KINDS
  id: number
  unit: string
  status: string
  version: number
}

/** What the records have in common, so that no row has to say it. */
export const KINDS = {
  transports: {
    options: TRANSPORT_STATUSES,
    /** The status after which the record leaves the list. */
    leaving: 'Delivered',
    /** The day that goes with leaving: its field in the API, and what people call it. */
    day: { name: 'actual_arrival_date', label: 'Arrived' },
    /** The record in the JSON API; its status is at `…/status`. */
    api: paths.api.transport,
    /** Where the form posts without JavaScript. */
    action: paths.transports.status,
  },
  osl: {
    options: OSL_STATUSES,
    leaving: 'Completed',
    day: { name: 'completed_on', label: 'Completed' },
    api: paths.api.osl,
    action: paths.osl.status,
  },
}
