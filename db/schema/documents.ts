import { index, integer, pgTable, primaryKey, serial, timestamp, varchar } from 'drizzle-orm/pg-core'
import { DOCUMENT_TYPES } from '../vocabulary'
import { bytes } from './bytes'
import { stamps } from './stamps'

/** A photo or PDF of a record. If the record is deleted, the document stays, because the record can be restored. */
export const documents = pgTable(
  'documents',
  {
    id: serial().primaryKey(),
    /** Table and id of the record. */
    entity: varchar({ length: 40 }).notNull(),
    record_id: integer().notNull(),
    title: varchar({ length: 200 }),
    file_name: varchar({ length: 255 }).notNull(),
    media_type: varchar({ length: 40, enum: DOCUMENT_TYPES }).notNull(),
    /** In bytes. */
    size: integer().notNull(),
    /** Name of the file in the S3 bucket. Null if `document_contents` has the content. */
    stored_as: varchar({ length: 36 }),
    deleted_at: timestamp({ withTimezone: true }),
    ...stamps,
  },
  (t) => [index('documents_entity_idx').on(t.entity, t.record_id)],
)

/** File content, stored separately so that lists do not load it. */
export const documentContents = pgTable(
  'document_contents',
  {
    document_id: integer()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    content: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.document_id] })],
)
