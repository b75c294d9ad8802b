import type { ChangeSource } from '../../../db/vocabulary'

/** Who makes a change, and from where; it is written into the record and its audit entry. */
export type Actor = {
  username: string | null
  source: ChangeSource
  address: string | null
  /** The API token that was used instead of a sign-in. */
  token_name?: string | null
  now: Date
  /** The warnings that somebody saw and saved in spite of. */
  accepted?: string[] | undefined
  /** The import that makes the change. */
  upload_id?: number | undefined
}
