import { OSL_STATUSES, TRANSPORT_STATUSES } from '../db/vocabulary'
import { paths } from '../src/paths'

export type StatusDropdownProps = {
  kind: keyof typeof KINDS
  id: number
  unit: string
  status: string
  version: number
}

/** A record as the server answers with it. */
export type Stored = { status: string; version: number } & Record<string, unknown>

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

/** What the select of a status is called, before the unit. */
export const NAMED = 'Status of Unit '

/** Why a change was not made, in the server's words when it has any. */
export function failure(what: string, { status, message }: { status: number; message: string }): string {
  if (status === 0) return `Failed to ${what}: the server cannot be reached`
  return message ? `Failed to ${what}: ${message}` : `Failed to ${what}`
}
