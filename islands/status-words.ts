/** A record as the server answers with it. */
export type Stored = { status: string; version: number } & Record<string, unknown>

/** What the select of a status is called, before the unit. */
export const NAMED = 'Status of Unit '

/** The class of a form by which its status has its shape. */
export const statusClass = (status: string) => `status-form status-${status.toLowerCase().replaceAll(' ', '-')}`

/** Why a change was not made, in the server's words when it has any. */
export function failure(what: string, { status, message }: { status: number; message: string }): string {
  if (status === 0) return `Failed to ${what}: the server cannot be reached`
  return message ? `Failed to ${what}: ${message}` : `Failed to ${what}`
}
