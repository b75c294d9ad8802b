/** Copies a string into one block of memory. Otherwise, a concatenated string keeps all its parts in memory. */
const inOnePiece = (text: string) => Buffer.from(text).toString()

/**
 * Cache of HTML with at most `maxEntries` entries. A scope and a key identify an entry.
 * At the limit, the oldest entry of the oldest scope is removed. Each scope has its own map, because joining scope and
 * key into one string for each row takes several times as long as the lookup.
 */
export function createMarkupCache(maxEntries: number) {
  const scopes = new Map<string, Map<string, string>>()
  let entries = 0
  const removeOldest = () => {
    for (const [scope, cache] of scopes) {
      cache.delete(cache.keys().next().value as string)
      if (cache.size === 0) scopes.delete(scope)
      entries--
      return
    }
  }
  return (scope: string, key: string, make: () => string): string => {
    const cached = scopes.get(scope)?.get(key)
    if (cached !== undefined) return cached
    const markup = inOnePiece(make())
    if (entries >= maxEntries) removeOldest()
    const cache = scopes.getOrInsertComputed(inOnePiece(scope), () => new Map<string, string>())
    entries++
    cache.set(inOnePiece(key), markup)
    return markup
  }
}
