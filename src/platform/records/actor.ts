import type { ChangeSource } from '../../../db/vocabulary'

export type Actor = {
  username: string | null
  source: ChangeSource
  address: string | null
  /** Undefined or null if the change was made in a session. */
  token_name?: string | null
  now: Date
  hides_costs?: boolean
  /** Codes of the warnings that the user accepted before saving. */
  accepted?: string[] | undefined
  upload_id?: number | undefined
}
