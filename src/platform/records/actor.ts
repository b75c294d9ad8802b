import type { ChangeSource } from '../../../db/vocabulary'

/** The author and origin of a change, which are stored in the record and its audit entry. */
export type Actor = {
  username: string | null
  source: ChangeSource
  address: string | null
  /** Name of the API token, if the change was made with a token instead of a session. */
  token_name?: string | null
  now: Date
  /** Codes of the warnings that the user accepted. */
  accepted?: string[] | undefined
  /** Id of the import that makes the change. */
  upload_id?: number | undefined
}
