import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * Sorts names naturally. For example, "Lot 2" comes before "Lot 10", and "élan" next to "Elan". The order is the same
 * in the embedded database and on a database server. Migration 0039 creates the collation `natural_order`.
 */
export const naturally = (name: AnyPgColumn | SQL): SQL => sql`${name} collate natural_order`
