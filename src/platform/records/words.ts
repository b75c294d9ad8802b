import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

export const dayInWords = (date: SQLWrapper): SQL<string> => sql<string>`to_char(${date}, 'MM/DD/YYYY')`
