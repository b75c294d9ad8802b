import { OSL_STATUSES, TRANSPORT_STATUSES } from '../db/vocabulary'
import { apiPaths, statusPaths } from '../src/platform/script-paths'

export type StatusDropdownProps = {
  kind: keyof typeof STATUS_KINDS
  id: number
  unit: string
  status: string
  version: number
}

/**
 * Settings for the status dropdown of each kind of record. They are defined here to keep the props of each table row
 * small.
 */
export const STATUS_KINDS = {
  transports: {
    options: TRANSPORT_STATUSES,
    /** Status that removes a record from the list. */
    leaving: 'Delivered',
    /** Date field that is set together with the final status (`leaving`). `name` is the field's name in the API. */
    day: { name: 'actual_arrival_date', label: 'Arrived' },
    /** API path of a record, such as `/api/transports/12`. PATCH `{path}/status` changes the status. */
    api: apiPaths.transport,
    /** URL to which the browser sends the form if scripts are disabled. */
    action: statusPaths.transport,
  },
  osl: {
    options: OSL_STATUSES,
    leaving: 'Completed',
    day: { name: 'completed_on', label: 'Completed' },
    api: apiPaths.osl,
    action: statusPaths.osl,
  },
}
