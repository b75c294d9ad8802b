import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Returns SQL that formats a date as `03/14/2026`. */
export const dayInWords = (date: SQLWrapper): SQL<string> => sql<string>`to_char(${date}, 'MM/DD/YYYY')`
