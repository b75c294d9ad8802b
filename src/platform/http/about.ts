import type { Elysia } from 'elysia'
import type { z } from 'zod'
import type { Deprecation } from './deprecation'
import { routeOf } from './methods'
import type { Answer } from './shapes'

/**
 * Permission that a route requires.
 * `costs`: the user may see costs. `decider`: the user may see costs, and accept or dispute invoice lines. The settings
 * define which users have these permissions.
 */
export type Role = 'anyone' | 'user' | 'costs' | 'decider' | 'admin'

/** Metadata of a route. Used by the permission check, error pages, the OpenAPI document and `docs/routes.md`. */
export type RouteFacts = {
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: Deprecation
  /** Defaults to `user`, which means any signed-in user. */
  role?: Role
  /**
   * What API tokens can do on this route.
   * `all` (the default) allows everything that the token's owner can do. `read` allows only reading. `none` allows
   * nothing.
   */
  tokens?: 'all' | 'read' | 'none'
  /** Title of the error message if the route fails. Example: `Failed to update location`. */
  failure?: string
  /**
   * True if the route changes access, settings, webhooks or scheduled mail.
   * Access means roles, passwords, tokens and sessions. API tokens with the scope `records` cannot make these changes.
   * If the session has expired when a user submits a form to the route, the form is not stored. The user must fill in
   * the form again after sign-in.
   */
  isSensitive?: boolean
  /** True if the route works before a required password change. */
  isOpenWhileDue?: boolean
  /** True if the route works while a required second factor is missing. */
  isOpenWhileFactorDue?: boolean
  /** True if the route works even when the disk is full. An example is the route for signing out. */
  isOpenWhileFull?: boolean
  /** Name of the record in "… not found" messages, such as `Webhook`. */
  what?: string
  /** True if the route only reads, although its method is POST. API tokens that can only read may use it. */
  isReadOnly?: boolean
  /**
   * True if the route can also update existing records. In the API document, the fields of its body have no defaults,
   * because defaults would overwrite stored values.
   */
  isUpsert?: boolean
  /**
   * Required query parameters that the validation schema declares as optional.
   * The route itself checks them, so that a missing parameter gets a specific error message.
   */
  needs?: string[]
  /** Filters with which the request body can select records of a list. Undefined if the body cannot select records. */
  filters?: z.ZodObject
  /** Schema of the multipart/form-data body, for a route that accepts an upload. */
  upload?: Record<string, unknown>
  takesJson?: boolean
  /** Path of the records that the route creates, such as `/api/files`. Set only if it differs from the route's path. */
  recordsAt?: string
  /**
   * Statuses of the new record in which the request is not finished or has succeeded. Set only if the request can end
   * long after the record was stored. A retry with an idempotency key gets a success only if the request has succeeded.
   */
  ends?: { unfinished: readonly string[]; succeeded: readonly string[] }
  /** Documented responses. The first response has the success status. */
  answers?: Answer[]
}

const KEY = 'x-'
const OWN = [
  'deprecated',
  'takesJson',
  'recordsAt',
  'ends',
  'what',
  'isReadOnly',
  'isUpsert',
  'needs',
  'role',
  'tokens',
  'failure',
  'isSensitive',
  'isOpenWhileDue',
  'isOpenWhileFactorDue',
  'isOpenWhileFull',
  'upload',
  'filters',
  'answers',
] as const

/** Encodes route metadata for Elysia's `detail` option. Metadata of a route overrides that of its module. */
export function about({ summary, description, tags, ...own }: RouteFacts) {
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags }),
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [KEY + name, value])),
  }
}

export type Routes = Elysia['routes']

export function factsOf({ hooks }: Routes[number]): RouteFacts {
  const detail = ((hooks as { detail?: Record<string, unknown> }).detail ?? {}) as Record<string, unknown> & RouteFacts
  const own = Object.fromEntries(
    OWN.flatMap((name) => (detail[KEY + name] === undefined ? [] : [[name, detail[KEY + name]]])),
  )
  const { summary, description, tags } = detail
  return { ...(summary ? { summary } : {}), ...(description ? { description } : {}), ...(tags ? { tags } : {}), ...own }
}

/** Input of a request. `body` is a JSON body, and `form` contains the fields of an upload. */
export type RequestInput = { query: object; body: unknown; form: unknown }
export type RequestCheck = { check(method: string, route: string, input: RequestInput): void }

export class RouteTable {
  #routes: Routes = []
  #check: RequestCheck | undefined
  #handle: ((request: Request) => Promise<Response>) | undefined
  readonly #facts = new Map<string, RouteFacts>()

  get all(): Routes {
    return this.#routes
  }

  fill({ routes, handle }: Pick<Elysia, 'routes' | 'handle'>, check: RequestCheck) {
    this.#routes = routes
    this.#check = check
    this.#handle = async (request) => handle(request)
    for (const route of routes) this.#facts.set(`${route.method} ${route.path}`, factsOf(route))
  }

  /** @throws Refused for an unknown query parameter or body field */
  checkInput(method: string, route: string, input: RequestInput) {
    this.#check?.check(method, route, input)
  }

  /** Runs a request through the program's own routes, without a network connection. */
  async answer(request: Request): Promise<Response> {
    if (!this.#handle) throw new Error('A request cannot be answered before all routes are registered')
    return this.#handle(request)
  }

  failureOf(path: string): string | undefined {
    return this.factsOf('POST', routeOf(this.#routes, 'POST', path))?.failure
  }

  /** @param route path pattern, such as `/transports/:id/edit` */
  factsOf(method: string, route: string | undefined): RouteFacts | undefined {
    return this.#facts.get(`${method === 'HEAD' ? 'GET' : method} ${route}`)
  }
}
