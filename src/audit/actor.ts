import type { ChangeSource } from '../../db/vocabulary'

/** Who makes a change, and from where; it is written into the record and its audit entry. */
export type Actor = { username: string | null; source: ChangeSource; address: string | null; now: Date }
