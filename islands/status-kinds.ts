import { OSL_STATUSES, TRANSPORT_STATUSES } from '../db/vocabulary'
import { paths } from '../src/platform/paths'

export type StatusDropdownProps = {
  kind: keyof typeof STATUS_KINDS
  id: number
  unit: string
  status: string
  version: number
}

/** Properties that all records of a kind share, so that each row does not need to contain them. */
export const STATUS_KINDS = {
  transports: {
    options: TRANSPORT_STATUSES,
    /** The status after which the record leaves the list. */
    leaving: 'Delivered',
    /** API field and label of the date that is stored when the record leaves the list. */
    day: { name: 'actual_arrival_date', label: 'Arrived' },
    /** Path of the record in the JSON API. Its status has the same path followed by `/status`. */
    api: paths.api.transport,
    /** URL to which the form is submitted without JavaScript. */
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
