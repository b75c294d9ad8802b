import { type ApiFacts, type Facts, parseFact } from './api-facts'

/**
 * Compares the API with the last release. Patterns, formats of text inside a field, failure statuses and behaviour are
 * not compared. A renamed schema counts as a change, because it renames a type of the generated client. The packages
 * for this are not an option: openapi-diff refuses OpenAPI 3.1, and openapi-changes downloads an executable.
 */

/** Lists that can get new entries without a major version. docs/api.md tells clients to expect new entries. */
const GROWING_LISTS = ['Failure.code', 'Warning.code', 'GET /api/reports 200.data[].type']

/** True if a type includes every value of another type. */
const includesType = (wide: string, narrow: string) =>
  wide === 'any' ||
  wide === narrow ||
  (wide === 'public' && narrow === 'signed-in') ||
  (wide === 'number' && narrow === 'integer') ||
  (wide === 'string' && /^(string:|")/.test(narrow)) ||
  (wide === 'boolean' && /^(true|false)$/.test(narrow))

const typesOutside = (types: string[], allowed: string[]) =>
  types.filter((type) => !allowed.some((one) => includesType(one, type)))

/** True for a place inside of another place, such as `body.set.status` in `body.set`. */
const isInside = (at: string, outer: string) => at.startsWith(`${outer}.`) || at.startsWith(`${outer}[`)

function removedPlaces(released: Facts, current: Facts): string[] {
  const removed = Object.keys(released).filter((at) => current[at] === undefined)
  return removed.filter((at) => !removed.some((outer) => isInside(at, outer))).map((at) => `${at} was removed`)
}

const changedPlaces = (released: Facts, current: Facts) =>
  Object.entries(released).flatMap(([at, before]) => {
    const after = current[at]
    return after === undefined || after === before ? [] : [{ at, before: parseFact(before), after: parseFact(after) }]
  })

const narrowedLimits = (before: Record<string, number>, after: Record<string, number>) =>
  Object.entries(after).filter(([name, limit]) => {
    const old = before[name]
    return old === undefined || (name.startsWith('max') ? limit < old : limit > old)
  })

/** True for a field in an object of the released API, a parameter or a body. */
function isInKnownPlace(at: string, released: Facts): boolean {
  const outer = at.replace(/(\.[^.[\]]+|\[\])$/, '')
  return outer === at || released[outer] !== undefined
}

/** A request breaks if the API refuses input that it accepted before. */
function requestChanges(released: Facts, current: Facts): string[] {
  const changed = changedPlaces(released, current).flatMap(({ at, before, after }) => [
    ...(after.required && !before.required ? [`${at} is now required`] : []),
    ...typesOutside(before.types, after.types).map((type) => `${at} no longer accepts ${type}`),
    ...narrowedLimits(before.limits, after.limits).map(([name, limit]) => `${at} now has ${name} ${limit}`),
  ])
  const added = Object.entries(current)
    .filter(([at, text]) => !(at in released) && parseFact(text).required && isInKnownPlace(at, released))
    .map(([at]) => `${at} is new and required`)
  return [...removedPlaces(released, current), ...changed, ...added]
}

/**
 * A response breaks if it lacks a value, or has a value that clients do not expect.
 * @param call the call of the response. Empty for a schema.
 */
function responseChanges(released: Facts, current: Facts, call = ''): string[] {
  const changed = changedPlaces(released, current).flatMap(({ at, before, after }) => [
    ...(before.required && !after.required ? [`${at} can now be missing`] : []),
    ...(GROWING_LISTS.includes(`${call} ${at}`.trim())
      ? typesOutside(before.types, after.types).map((type) => `${at} no longer has ${type}`)
      : typesOutside(after.types, before.types).map((type) => `${at} can now be ${type}`)),
  ])
  return [...removedPlaces(released, current), ...changed]
}

/** Places with the name of their schema, such as `Title.stage` for `.stage`. */
const placesOf = (schema: string, facts: Facts): Facts =>
  Object.fromEntries(Object.entries(facts).map(([at, text]) => [schema + at, text]))

const prefixed = (prefix: string, changes: string[]) => changes.map((change) => `${prefix}: ${change}`)

/** Returns one line for each change that can break a client of the released API. */
export function breakingChanges(released: ApiFacts, current: ApiFacts): string[] {
  const operations = Object.entries(released.operations).flatMap(([name, { request, response }]) => {
    const now = current.operations[name]
    if (!now) return [`${name} was removed`]
    return [
      ...prefixed(`${name}, request`, requestChanges(request, now.request)),
      ...prefixed(`${name}, response`, responseChanges(response, now.response, name)),
    ]
  })
  const schemas = Object.entries(released.schemas).flatMap(([name, facts]) => {
    const now = current.schemas[name]
    if (!now) return [`schema ${name} was removed`]
    return prefixed('schema', responseChanges(placesOf(name, facts), placesOf(name, now)))
  })
  return [...operations, ...schemas]
}

const majorVersion = (version: string) => Number(version.split('.')[0])

/** Returns the breaking changes that need a new major version. */
export const disallowedChanges = (released: ApiFacts, current: ApiFacts) =>
  majorVersion(current.version) > majorVersion(released.version) ? [] : breakingChanges(released, current)
