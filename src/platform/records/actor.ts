import type { ChangeSource } from '../../../db/vocabulary'

/** Author and origin of a change to a record. They are stored in the audit entry. */
export type Actor = {
  username: string | null
  source: ChangeSource
  address: string | null
  /** Name of the API token. Undefined or null if the change was made in a session. */
  token_name?: string | null
  now: Date
  /** True if the user cannot see costs. */
  hides_costs?: boolean
  /** Codes of the warnings that the user accepted before saving. */
  accepted?: string[] | undefined
  upload_id?: number | undefined
}
