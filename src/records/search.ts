import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** What was typed, as a pattern for `like`: anything that begins with it. */
export const beginningWith = (text: string) => `${escaped(text)}%`

/** What was typed, as a pattern for `ilike`: anything that contains it. */
export const containing = (text: string) => `%${escaped(text)}%`

/** Does a VIN end with what was typed? Compared from its end, so that an index finds it. */
export const vinEnds = (vin: SQLWrapper, typed: string): SQL =>
  sql`reverse(${vin}) like ${beginningWith([...typed.toUpperCase()].reverse().join(''))}`
