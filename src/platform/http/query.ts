import { Elysia } from 'elysia'

/** @param url absolute or relative URL */
export function parseQuery(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?')
  const query: Record<string, string | string[]> = Object.create(null)
  if (start === -1) return query
  const end = url.indexOf('#', start)
  for (const [name, value] of new URLSearchParams(url.slice(start, end === -1 ? undefined : end))) {
    const earlier = query[name]
    if (earlier === undefined) query[name] = value
    else if (typeof earlier === 'string') query[name] = [earlier, value]
    else earlier.push(value)
  }
  return query
}

/**
 * Elysia plugin that parses the query of every request.
 * Elysia's own parser splits values at commas and parses values such as `[1]` and `{}` as JSON. With that parser, a
 * search for `Mesa, AZ` would fail.
 */
export const query = () =>
  new Elysia({ name: 'query' }).onTransform({ as: 'global' }, (context) => {
    context.query = parseQuery(context.request.url) as typeof context.query
  })
