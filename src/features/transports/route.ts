/**
 * Separators between two locations, in the order in which they are tried. The later separators can also be part of a
 * name.
 */
const SEPARATORS = [/\s*(?:→|⇒|->|=>|>)\s*/, /\s+to\s+/i, /\s+[-–—]\s+/, /\s*\/\s*/, /\s*[-–—]\s*/]

const hasLetter = (part: string) => /\p{L}/u.test(part)

/**
 * Splits text such as `PHX → DEN` into its two locations. Text that cannot be split, such as the route number `R-12`,
 * becomes the first part.
 */
export function readRoute(text: string): [string, string] {
  for (const separator of SEPARATORS) {
    const [first, second, ...more] = text.split(separator).map((part) => part.trim())
    if (first && second && more.length === 0 && hasLetter(first) && hasLetter(second)) return [first, second]
  }
  return [text, '']
}
