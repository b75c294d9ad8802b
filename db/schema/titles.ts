import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, serial, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { locations } from './places'
import { noteStamps, stamps } from './stamps'
import { vehicles } from './vehicles'

/** A vehicle's title and its transfer. The transfer is pending until `transferred_date` is set. */
export const titles = pgTable(
  'titles',
  {
    id: serial().primaryKey(),
    unit_number: varchar({ length: 6 })
      .notNull()
      .references(() => vehicles.unit_number, { onDelete: 'restrict', onUpdate: 'cascade' }),
    location_id: integer()
      .notNull()
      .references(() => locations.id, { onDelete: 'restrict' }),
    dealer_name: varchar({ length: 100 }),
    dealer_contact: varchar({ length: 100 }),
    submitted_date: date().notNull(),
    transferred_date: date(),
    notes: text(),
    requested_on: date(),
    sent_on: date(),
    in_transit_on: date(),
    received_on: date(),
    /** Date of the last follow-up about the title. `next_chase_on` is the date of the next planned follow-up. */
    last_chased_on: date(),
    next_chase_on: date(),
    external_id: varchar({ length: 100 }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('titles_external_id_key').on(t.external_id).where(sql`${t.external_id} is not null`),
    index('titles_updated_at_idx').on(t.updated_at),
    index('titles_unit_number_idx').on(t.unit_number.op('varchar_pattern_ops')),
    index('titles_location_id_idx').on(t.location_id),
    index('titles_pending_idx').on(t.submitted_date, t.id).where(sql`${t.transferred_date} is null`),
    index('titles_transferred_idx').on(t.transferred_date, t.id).where(sql`${t.transferred_date} is not null`),
  ],
)

/** A note on a title, for example about a follow-up. */
export const titleNotes = pgTable(
  'title_notes',
  {
    id: serial().primaryKey(),
    title_id: integer()
      .notNull()
      .references(() => titles.id, { onDelete: 'cascade' }),
    note_text: text().notNull(),
    ...noteStamps,
  },
  (t) => [index('title_notes_title_id_idx').on(t.title_id, t.id)],
)
