import { uploads } from '../../../db/schema'
import { ENCODINGS, UPLOAD_STATUSES } from '../../../db/vocabulary'
import { boolean, integer, list, object, oneOf, orNull, record, type Schema, string } from './schema'

export const upload = record(uploads, {}, [
  'stored_as',
  'commits',
  'asks',
  'last_row',
  'found',
  'fields',
  'header_row',
  'new_names',
  'date_orders',
  'defaults',
  'sheet',
  'encoding',
  'skip_hidden',
  'skip_conflicts',
  'extend_short',
  'validation_errors',
  'undo',
  'is_cancelled',
  'runner_seen_at',
  'crashes',
  'address',
  'token_name',
  'started_by',
  'started_token',
  'started_address',
  'keeps_names',
  'hides_costs',
])
const keptRecord = object({ entity: string, id: integer, label: string })
export const rowError = object({ row: integer, message: string })
const newName = object({ kind: oneOf(['location', 'company']), name: string, id: integer }, ['id'])
const sheetFindings = object(
  {
    header_row: integer,
    first_rows: list(object({ row: integer, cells: list(string) })),
    header: list(string),
    fields: list(orNull(string)),
    missing: list(string),
    contested: list(string),
    samples: list(list(string)),
    dates: list(
      object({ field: string, samples: list(string), rows: integer, is_contradicted: boolean }, ['is_contradicted']),
    ),
    names: list(object({ kind: oneOf(['location', 'company']), name: string, rows: integer })),
    words: list(object({ field: string, text: string, rows: integer })),
    hidden_rows: integer,
    conflicts: list(string),
    conflict_rows: integer,
    finished_rows: integer,
    doubtful_rows: integer,
    short_rows: integer,
    blank: list(object({ field: string, rows: integer })),
    sheets: list(object({ name: string, is_hidden: boolean })),
    sheet: orNull(string),
    encoding: orNull(oneOf(ENCODINGS)),
  },
  [
    'words',
    'contested',
    'hidden_rows',
    'conflicts',
    'conflict_rows',
    'finished_rows',
    'doubtful_rows',
    'short_rows',
    'blank',
    'sheets',
    'sheet',
    'encoding',
  ],
)
/** Later imports in which users corrected the failed rows of this import. */
export const mendedBy = list(
  object({
    id: integer,
    file_name: string,
    status: oneOf(UPLOAD_STATUSES),
    row_count: integer,
    imported: integer,
    updated: integer,
  }),
)
export const undo: Schema = {
  anyOf: [object({ removed: integer, restored: integer, kept: list(keptRecord) }), { type: 'null' }],
}
export const openUpload = (more: Record<string, Schema>): Schema =>
  object({
    ...upload.properties,
    found: { anyOf: [sheetFindings, { type: 'null' }] },
    date_orders: { type: 'object', additionalProperties: oneOf(['month', 'day']) },
    defaults: { type: 'object', additionalProperties: string },
    skip_hidden: boolean,
    skip_conflicts: boolean,
    extend_short: boolean,
    new_names: list(newName),
    validation_errors: list(string),
    ...more,
  })
