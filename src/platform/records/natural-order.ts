import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * A name for `order by`: "Lot 2" before "Lot 10", "élan" beside "Elan", on both engines alike. The collation is created
 * by migration 0039.
 */
export const naturally = (name: AnyPgColumn | SQL): SQL => sql`${name} collate natural_order`
