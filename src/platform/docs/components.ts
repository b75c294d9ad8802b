import { apiTokens, auditEntries, importAliases, savedViews, users } from '../../../db/schema'
import { LIST_DENSITIES } from '../../../db/vocabulary'
import { kinds } from '../kinds'
import { listNames } from '../lists/kind'
import { nameOf } from '../records/kind'
import { WARNING_CODES } from '../records/warnings'
import { FAILURE_CODES } from '../refusals'
import { boolean, counts, instant, integer, list, object, oneOf, orNull, record, type Schema, string } from './schema'
import { upload } from './upload-schemas'

const fieldError = object({ field: string, message: string })

export const apiToken = record(apiTokens, {}, [
  'user_id',
  'token_hash',
  'version',
  'created_by',
  'updated_at',
  'updated_by',
])
export const change = object({ old: {}, new: {} })

/**
 * Returns the kinds of records that the schema `Usage` counts. A `Usage` object states how many records of each kind,
 * such as transports, refer to a location, company or vendor.
 */
const usedBy = () =>
  kinds('records')
    .filter(({ isUse }) => isUse)
    .map(nameOf)

/**
 * Response schemas of the API, by name. Features add their own schemas. Code generators use these names as type names.
 */
export const components = (): Record<string, Schema> => ({
  Meta: counts('page', 'per_page', 'total', 'pages'),
  /**
   * `page`, `total` and `pages` are set if the client reads by page. `next_cursor` is set if the client reads by
   * cursor.
   */
  RecordMeta: object(
    { page: integer, per_page: integer, total: integer, pages: integer, next_cursor: orNull(string) },
    ['page', 'total', 'pages', 'next_cursor'],
  ),
  Failure: object(
    {
      success: { type: 'boolean', const: false },
      code: oneOf(FAILURE_CODES),
      message: string,
      errors: list(fieldError),
      /** The stored record, if the request was based on an older version. */
      data: {},
    },
    ['errors', 'data'],
  ),
  Warning: object({ code: oneOf(WARNING_CODES), message: string, field: string }),
  User: record(users, {}, ['password_hash', 'previous_login', 'due_mailed_on']),
  Session: object({
    key: string,
    is_current: boolean,
    created_at: instant,
    last_seen_at: instant,
    expires_at: instant,
    address: orNull(string),
    user_agent: orNull(string),
  }),
  ApiToken: apiToken,
  Usage: counts(...usedBy(), 'total'),
  Note: object({ id: integer, note_text: string, created_at: instant, created_by: orNull(string) }),
  ListLayout: object({ hidden: list(string), added: list(string), density: oneOf(LIST_DENSITIES) }),
  SavedView: record(savedViews, { list: oneOf(listNames()), url: string, is_own: boolean }),
  Upload: upload,
  Alias: record(importAliases, { location_name: orNull(string), transport_company_name: orNull(string) }),
  AuditEntry: record(auditEntries, { changes: { type: 'object', additionalProperties: change } }),
})
