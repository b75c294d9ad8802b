import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** What is true of a transport, as SQL; the one definition for lists, counts, reports and exports. */

type Transport = { status: AnyPgColumn }

// Written out, not as parameters: the planner takes the partial indexes only when it can read the status.
export const isUnderWay = (transport: Transport): SQL => sql`${transport.status} <> 'Delivered'`
export const isDelivered = (transport: Transport): SQL => sql`${transport.status} = 'Delivered'`
