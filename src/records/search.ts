const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** What was typed, as a pattern for `like`: anything that begins with it. */
export const beginningWith = (text: string) => `${escaped(text)}%`

/** What was typed, as a pattern for `ilike`: anything that contains it. */
export const containing = (text: string) => `%${escaped(text)}%`

/** Anything that ends with it, such as the last digits of a VIN. */
export const endingWith = (text: string) => `%${escaped(text)}`
