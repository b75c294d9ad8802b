import type { Elysia } from 'elysia'

const patterns = new WeakMap<object, { pattern: RegExp; method: string }[]>()

const toPattern = (path: string) =>
  new RegExp(
    `^${path
      .replace(/\/$/, '')
      .replace(/[.+*?^${}()|[\]\\]/g, '\\$&')
      .replace(':id', '\\d+')
      .replace(/:[^/]+/g, '[^/]+')}/?$`,
  )

export function methodsOf(routes: Elysia['routes'], path: string): string[] {
  let routePatterns = patterns.get(routes)
  if (!routePatterns) {
    routePatterns = routes.map((route) => ({ pattern: toPattern(route.path), method: route.method }))
    patterns.set(routes, routePatterns)
  }
  return [...new Set(routePatterns.filter((route) => route.pattern.test(path)).map((route) => route.method))]
}
