/** Copies a string into one piece, because a concatenated string keeps all its parts in memory. */
const inOnePiece = (text: string) => Buffer.from(text).toString()

/** Caches markup by key, up to `maxEntries` entries. The oldest is evicted first. */
export function createMarkupCache(maxEntries: number) {
  const cache = new Map<string, string>()
  return (key: string, make: () => string): string => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const markup = inOnePiece(make())
    if (cache.size >= maxEntries) cache.delete(cache.keys().next().value as string)
    cache.set(inOnePiece(key), markup)
    return markup
  }
}
