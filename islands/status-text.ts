export type StoredStatus = { status: string; version: number } & Record<string, unknown>

/** Start of the screen reader label of a status select. The unit number follows this text. */
export const LABEL_PREFIX = 'Status of Unit '

export const statusClass = (status: string) => `status-form status-${status.toLowerCase().replaceAll(' ', '-')}`

export const isStored = (stored: StoredStatus | null | undefined, before: StoredStatus, change: object): boolean =>
  Boolean(
    stored &&
      stored.version > before.version &&
      Object.entries(change).every(([field, value]) => stored[field] === value),
  )

/**
 * Text in a row whose change failed. The message at the top of the page gives the reason.
 * @param isUnknown true if it is unknown whether the change was saved, because there was no response and the stored
 * record could not be loaded
 */
export const notSaved = (value = '', isUnknown = false) =>
  [isUnknown ? 'Unknown whether saved' : 'Not saved', value].filter(Boolean).join(': ')

export const OUTCOME_UNKNOWN = 'The change may have been saved. Check before you try again.'

/**
 * Explains to the user why a change failed.
 * @param isLookedUp true if the stored record was loaded again and does not contain the change
 */
export function failure(
  action: string,
  { status, message }: { status: number; message: string },
  { isLookedUp = false } = {},
): string {
  if (status === 0)
    return `Failed to ${action}: the server cannot be reached. ${isLookedUp ? 'Nothing was changed.' : OUTCOME_UNKNOWN}`
  return message ? `Failed to ${action}: ${message}` : `Failed to ${action}`
}
