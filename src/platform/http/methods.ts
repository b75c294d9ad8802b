import type { Elysia } from 'elysia'

const patterns = new WeakMap<object, { pattern: RegExp; method: string; path: string }[]>()

const toPattern = (path: string) =>
  new RegExp(
    `^${path
      .replace(/\/$/, '')
      .replace(/[.+*?^${}()|[\]\\]/g, '\\$&')
      .replace(':id', '\\d+')
      .replace(/:[^/]+/g, '[^/]+')}/?$`,
  )

function patternsOf(routes: Elysia['routes']) {
  const cached = patterns.get(routes)
  if (cached) return cached
  const all = routes.map(({ path, method }) => ({ pattern: toPattern(path), method, path }))
  patterns.set(routes, all)
  return all
}

export const methodsOf = (routes: Elysia['routes'], path: string): string[] => [
  ...new Set(
    patternsOf(routes)
      .filter(({ pattern }) => pattern.test(path))
      .map(({ method }) => method),
  ),
]

/** Returns a route's path pattern, such as `/titles/:id/edit`. */
export const routeOf = (routes: Elysia['routes'], method: string, path: string): string | undefined =>
  patternsOf(routes).find((route) => route.method === method && route.pattern.test(path))?.path
