/** A string put together from pieces keeps each of them; one that stays for long is better in one piece. */
const inOnePiece = (text: string) => Buffer.from(text).toString()

/** Markup that follows from its key alone, made once; of more than `most` the oldest goes first. */
export function remembered(most: number) {
  const known = new Map<string, string>()
  return (key: string, make: () => string): string => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = inOnePiece(make())
    if (known.size >= most) known.delete(known.keys().next().value as string)
    known.set(inOnePiece(key), made)
    return made
  }
}
