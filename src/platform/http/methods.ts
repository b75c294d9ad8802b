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
  let known = patterns.get(routes)
  if (!known) {
    known = routes.map((route) => ({ pattern: toPattern(route.path), method: route.method }))
    patterns.set(routes, known)
  }
  return [...new Set(known.filter((route) => route.pattern.test(path)).map((route) => route.method))]
}
