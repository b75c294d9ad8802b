import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema'

export type Failure = components['schemas']['Failure']
export type Schemas = components['schemas']

const ATTEMPTS = 4
/** Milliseconds before the first retry after a lost connection. The wait doubles with each further retry. */
const FIRST_WAIT_MS = 250
/**
 * Longest `Retry-After` in milliseconds after which the client retries. Above it, the caller gets the failed response.
 */
const LONGEST_WAIT_MS = 60_000

const KEYED_METHODS = ['POST', 'PATCH']

export type ClientOptions = {
  /** Address of Yardmaster, such as `https://fleet.example.com`. */
  url: string
  token?: string
  fetch?: (request: Request) => Promise<Response>
}

/**
 * Creates a client with one method for each HTTP method, such as `client.GET('/api/titles')`.
 * POST and PATCH get an idempotency key, so that the client can repeat a call whose response was lost. A repeated
 * DELETE can fail with `not_found` if the first attempt deleted the record.
 */
export function createClient({ url, token, fetch = globalThis.fetch }: ClientOptions): Client<paths> {
  const client = createFetchClient<paths>({
    baseUrl: url,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    bodySerializer,
    fetch: (request) => fetchWithRetries(request, fetch),
  })
  client.use({
    onRequest: ({ request }) => {
      if (KEYED_METHODS.includes(request.method) && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID())
      return request
    },
  })
  return client
}

/** Encodes a body that contains a file as form data, and any other body as JSON. */
function bodySerializer(body: unknown): FormData | string {
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) if (value !== undefined) form.append(name, value)
  return form
}

/** Repeats a request if the connection fails or the response has a `Retry-After` header. */
async function fetchWithRetries(request: Request, fetch: (request: Request) => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS || request.signal.aborted
    const response = await fetch(request.clone()).catch((error: unknown) => {
      if (isLast || request.signal.aborted) throw error
    })
    const seconds = response?.headers.get('retry-after')
    const waitMs = seconds ? Number(seconds) * 1000 : FIRST_WAIT_MS * 2 ** (attempt - 1)
    if (response && (isLast || !seconds || !(waitMs <= LONGEST_WAIT_MS))) return response
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** A failed call. Use `code` in programs, because messages can change. */
export class ApiError extends Error {
  readonly code: Failure['code'] | undefined
  readonly errors: { field: string; message: string }[]

  constructor(
    readonly status: number,
    readonly failure: Partial<Failure>,
  ) {
    super(failure.message ?? `The server answered with status ${status}`)
    this.name = 'ApiError'
    this.code = failure.code
    this.errors = failure.errors ?? []
  }
}

type Answer<Body> = { data?: Body; error?: unknown; response: Response }

/** Returns the body of a successful call, and throws an `ApiError` for a failed call. */
export async function unwrap<Body>(call: Promise<Answer<Body>>): Promise<NonNullable<Body>> {
  const { data, error, response } = await call
  if (response.ok && data) return data
  // A proxy can respond with an HTML page. The error then contains only the HTTP status.
  throw new ApiError(response.status, typeof error === 'object' && error ? error : {})
}

type Page<Row> = { data: Row[]; meta: { next_cursor?: string | null } }

/**
 * Yields all rows of a list, page by page:
 * `readAll((cursor) => client.GET('/api/titles', { params: { query: { cursor } } }))`
 */
export async function* readAll<Row>(read: (cursor: string) => Promise<Answer<Page<Row>>>): AsyncGenerator<Row> {
  let cursor: string | null | undefined = ''
  while (typeof cursor === 'string') {
    const page: Page<Row> = await unwrap(read(cursor))
    yield* page.data
    cursor = page.meta.next_cursor
  }
}
