/**
 * Separators between two locations, in the order to try them. Separators that can be part of a location name, such as
 * `-`, come last.
 */
const SEPARATORS = [/\s*(?:→|⇒|->|=>|>)\s*/, /\s+to\s+/i, /\s+[-–—]\s+/, /\s*\/\s*/, /\s*[-–—]\s*/]

const hasLetter = (part: string) => /\p{L}/u.test(part)

/**
 * Splits text such as `PHX → DEN` into two locations.
 * If this is not possible, as for `R-12`, the first part is the whole text and the second is empty.
 */
export function readRoute(text: string): [string, string] {
  for (const separator of SEPARATORS) {
    const [first, second, ...more] = text.split(separator).map((part) => part.trim())
    if (first && second && more.length === 0 && hasLetter(first) && hasLetter(second)) return [first, second]
  }
  return [text, '']
}
