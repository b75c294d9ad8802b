import { nameKey, narrow } from '../../reading/text'

/**
 * Key for comparing headings, such as `movedate` for `Move Date (m/d/y) *`. Ignores case, spaces, punctuation and text
 * in parentheses.
 */
export const headerKey = (header: string) =>
  narrow(header.slice(0, 200))
    .replace(/\([^()]*\)/g, '')
    .replace(/[^\p{L}\p{N}#%]/gu, '')
    .toLowerCase()

/**
 * Key under which the user's field for a heading is remembered.
 * Unlike `headerKey`, it keeps punctuation and text in parentheses. `Cost (est)` and `Cost (final)`, or `Pickup` and
 * `Pick-up`, can have different fields.
 */
export const rememberedKey = (header: string) => nameKey(narrow(header.slice(0, 200)))

/** Key that identifies sheets with the same columns. */
export const shapeOf = (header: string[]): string => header.map(headerKey).filter(Boolean).join(' ').slice(0, 200)
