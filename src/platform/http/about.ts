import type { Elysia } from 'elysia'
import type { z } from 'zod'
import type { Answer } from './shapes'

/**
 * Who may ask: everybody, whoever is signed in, whoever sees costs or decides invoices by the settings, or
 * administrators.
 */
export type Role = 'anyone' | 'user' | 'costs' | 'decider' | 'admin'

/** What a route says of itself. The guard, error pages, the API's document and `docs/routes.md` read it from here. */
export type RouteFacts = {
  summary?: string
  description?: string
  tags?: string[]
  /** `user` unless said. */
  role?: Role
  /** What an API token may do here: whatever its owner may (unless said), read, or nothing. */
  tokens?: 'all' | 'read' | 'none'
  /** What a page says when something broke under it. */
  failure?: string
  /**
   * Changes who gets what: roles, passwords, tokens, sessions, settings, mail. Its form is never held for a later
   * sign-in, and a token of the scope `records` cannot use it.
   */
  isSensitive?: boolean
  /** Open while a new password is due. */
  isOpenWhileDue?: boolean
  /** Works on a full disk: a way to leave. */
  isOpenWhileFull?: boolean
  /** What people call its record, for `… not found`. */
  what?: string
  /** Also changes what is there: a default of its body would erase. */
  isUpsert?: boolean
  /** What its query cannot do without, though a message of its own says so. */
  needs?: string[]
  /** The filters of the list that its body may choose records by. */
  filters?: z.ZodObject
  /** Takes a file as multipart/form-data; its document. */
  upload?: Record<string, unknown>
  /** Takes JSON as well as a file. */
  takesJson?: boolean
  /** What it answers; the first one's status is that of its success. */
  answers?: Answer[]
}

const KEY = 'x-'
const OWN = [
  'takesJson',
  'what',
  'isUpsert',
  'needs',
  'role',
  'tokens',
  'failure',
  'isSensitive',
  'isOpenWhileDue',
  'isOpenWhileFull',
  'upload',
  'filters',
  'answers',
] as const

/**
 * The facts of a route, or of all routes of a module, as Elysia carries them: in `detail`, where the route's own
 * win.
 */
export function about({ summary, description, tags, ...own }: RouteFacts) {
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags }),
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [KEY + name, value])),
  }
}

export type Routes = Elysia['routes']

/** What a route of the program says of itself. */
export function factsOf({ hooks }: Routes[number]): RouteFacts {
  const detail = ((hooks as { detail?: Record<string, unknown> }).detail ?? {}) as Record<string, unknown> & RouteFacts
  const own = Object.fromEntries(
    OWN.flatMap((name) => (detail[KEY + name] === undefined ? [] : [[name, detail[KEY + name]]])),
  )
  const { summary, description, tags } = detail
  return { ...(summary ? { summary } : {}), ...(description ? { description } : {}), ...(tags ? { tags } : {}), ...own }
}

/** Refuses what a call does not take. */
export type RequestCheck = { check(method: string, route: string, query: object, body: unknown): void }

/** The routes of a program that has been put together, by method and address. */
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

  /** @throws Refused for a parameter or a field of the body that the route does not take */
  checkInput(method: string, route: string, query: object, body: unknown) {
    this.#check?.check(method, route, query, body)
  }

  /** The program's own answer to a request. */
  async answer(request: Request): Promise<Response> {
    if (!this.#handle) throw new Error('The program is not put together yet')
    return this.#handle(request)
  }

  /** @param route the address as it is bound, `/transports/:id/edit` @returns undefined for one that is not ours */
  factsOf(method: string, route: string | undefined): RouteFacts | undefined {
    return this.#facts.get(`${method === 'HEAD' ? 'GET' : method} ${route}`)
  }
}
