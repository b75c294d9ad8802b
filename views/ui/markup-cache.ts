/** Copies a string into a single piece of memory. A concatenated string keeps all its parts in memory. */
const inOnePiece = (text: string) => Buffer.from(text).toString()

/** Cache of HTML by key, limited to `maxEntries`. At the limit, the oldest entry is removed. */
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
