/** Audit entries do not list these fields in `changes`. */
export const STAMPS = new Set(['id', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'])

/** Columns whose values never appear in responses or audit entries. */
export const SECRET_FIELDS = new Set([
  'password_hash',
  'token_hash',
  'secret',
  'old_secret',
  'recovery_codes',
  'credential_id',
  'public_key',
  'begun_by',
])

/**
 * Field in the audit entry of a deletion. The field contains the version of the record, and the time and user of its
 * creation. A restore needs these values if older audit entries were deleted.
 */
export const STAMPS_FIELD = 'stamps'
export type DeletedStamps = { version: number; created_at: string; created_by: string | null }
