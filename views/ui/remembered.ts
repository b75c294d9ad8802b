/** Flattens a string. A concatenated string keeps all its parts in memory. */
const inOnePiece = (text: string) => Buffer.from(text).toString()

/** Caches markup by key, up to `most` entries. The oldest is evicted first. */
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
