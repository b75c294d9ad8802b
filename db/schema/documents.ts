import { index, integer, pgTable, primaryKey, serial, timestamp, varchar } from 'drizzle-orm/pg-core'
import { DOCUMENT_TYPES } from '../vocabulary'
import { bytes } from './bytes'
import { stamps } from './stamps'

/**
 * A photo or PDF that belongs to a record.
 * The document is kept when the record is deleted, because the record can be restored.
 */
export const documents = pgTable(
  'documents',
  {
    id: serial().primaryKey(),
    /** Table name and id of the record that the document belongs to. */
    entity: varchar({ length: 40 }).notNull(),
    record_id: integer().notNull(),
    title: varchar({ length: 200 }),
    file_name: varchar({ length: 255 }).notNull(),
    media_type: varchar({ length: 40, enum: DOCUMENT_TYPES }).notNull(),
    /** File size in bytes. */
    size: integer().notNull(),
    /** Name of the stored file. Null for an older document, whose content is in the table `document_contents`. */
    stored_as: varchar({ length: 36 }),
    deleted_at: timestamp({ withTimezone: true }),
    ...stamps,
  },
  (t) => [index('documents_entity_idx').on(t.entity, t.record_id)],
)

/** Content of a document from before documents were stored as files. */
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

/** Small preview of a photo, made by the browser that uploaded it. */
export const documentThumbnails = pgTable(
  'document_thumbnails',
  {
    document_id: integer()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    content: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.document_id] })],
)
