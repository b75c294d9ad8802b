export type StoredStatus = { status: string; version: number } & Record<string, unknown>

/** Start of a status select's accessible name, followed by the unit. */
export const LABEL_PREFIX = 'Status of Unit '

export const statusClass = (status: string) => `status-form status-${status.toLowerCase().replaceAll(' ', '-')}`

/** Explains why a change failed, with the server's message if any. */
export function failure(action: string, { status, message }: { status: number; message: string }): string {
  if (status === 0) return `Failed to ${action}: the server cannot be reached`
  return message ? `Failed to ${action}: ${message}` : `Failed to ${action}`
}
