import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { RateLimited, Refusal } from '../refusals'
import type { RouteFacts } from './about'
import { parseForm, parseJson, parseMultipart, textLength } from './parse-body'
import { isApi } from './request'
import { scanFiles } from './scan-files'

const KB = 1024
const MB = 1024 * KB

/**
 * Maximum size of a request body from a signed-out user, in bytes.
 * Such a user sends at most a username, a password and an encrypted form to submit after sign-in.
 */
const SIGNED_OUT_LIMIT = 16 * KB
const SIGNED_OUT_DEADLINE_MS = 10_000
const FORM_LIMIT = MB
const JSON_LIMIT = 2 * MB
/**
 * Timeout of uploads, in seconds.
 * It restarts with each chunk of data. After the last chunk, it limits the time until the response.
 */
const UPLOAD_TIMEOUT = 240
/** Minimum speed of an upload, in bytes per millisecond. A file of 25 MB can take 15 minutes. */
const UPLOAD_SPEED = 28
const BODY_DEADLINE_MS = 120_000
/** Interval of the checks that the session of a request is still open while its body is read. */
const CHECK_EVERY_MS = 10_000
/**
 * Maximum number of concurrent uploads, per caller and per server instance.
 * The limit saves memory, because each upload is held in memory and needs even more while it is parsed.
 */
const UPLOADS_AT_ONCE = { caller: 8, instance: 24 }
const BODIES_AT_ONCE = { caller: 32, instance: 256 }
const RETRY_SECONDS = 5
/** Size, in bytes, from which bodies are parsed one at a time. Parsing and validating 2 MB takes up to 40 ms. */
const LARGE_BODY = 64 * KB

type Server = { timeout(request: Request, seconds: number): void } | null
export type BodyContext = {
  request: Request
  route: string
  server: Server
  contentType: string
  set: { headers: Record<string, string | number> }
}

export type Caller = {
  /** Caller for whom concurrent bodies are counted: an account, or the API tokens of an account. */
  name: string
  /** Checks that the user is still signed in. @throws SignedOut or Forbidden */
  checkAgain: () => Promise<unknown>
}

type Guard = {
  /**
   * Checks that the user can use the route, before the body is read.
   * @throws Refusal when the request is not allowed
   */
  admit: (context: BodyContext) => Promise<Caller>
  /** Timeout of uploads in seconds. Tests set a shorter one. */
  uploadTimeout?: number
  checkEveryMs?: number
}

/**
 * Elysia plugin that reads a request body only after checking that the user can use the route.
 * It replaces Elysia's own parsers, because they read the body before any check.
 */
export function bodies(
  ctx: AppContext,
  { admit, uploadTimeout = UPLOAD_TIMEOUT, checkEveryMs = CHECK_EVERY_MS }: Guard,
) {
  const uploads = limitConcurrency(UPLOADS_AT_ONCE)
  const others = limitConcurrency(BODIES_AT_ONCE)
  const inTurn = oneAtATime()

  const readUpload = async (request: Request, server: Server, check: Reading['check']) => {
    const { maxUploadBytes } = ctx.config
    const body = await readBody(request, {
      limit: maxUploadBytes + FORM_LIMIT,
      deadlineMs: (maxUploadBytes + FORM_LIMIT) / UPLOAD_SPEED,
      check,
      onChunk: () => server?.timeout(request, uploadTimeout),
      tooLarge: `The file is larger than ${Math.floor(maxUploadBytes / MB)} MB`,
    })
    const fields = await inTurn(body.size, () => parseMultipart(request, body))
    // The upload limit is meant for the file, so limit the text fields separately.
    if (textLength(fields) > FORM_LIMIT) throw new Refusal(413, 'The request is too large')
    await scanFiles(ctx, request, fields)
    return fields
  }

  return new Elysia({ name: 'bodies' }).onParse({ as: 'global' }, async (context) => {
    const { request, server, route } = context
    if (request.body === null) return
    const facts = ctx.routes.factsOf(request.method, route) ?? {}
    const isOpen = facts.role === 'anyone'
    const caller = isOpen ? undefined : await admit(context as BodyContext)
    const check = caller && { everyMs: checkEveryMs, run: caller.checkAgain }
    const mediaType = context.contentType.trim().toLowerCase()
    checkMediaType(request, facts, mediaType)
    if (facts.upload && mediaType === 'multipart/form-data')
      return uploads(caller?.name, () => readUpload(request, server, check))
    const isJson = mediaType === 'application/json'
    const read = async () => {
      const body = await readBody(
        request,
        isOpen
          ? { limit: SIGNED_OUT_LIMIT, deadlineMs: SIGNED_OUT_DEADLINE_MS }
          : { limit: isJson ? JSON_LIMIT : FORM_LIMIT, deadlineMs: BODY_DEADLINE_MS, check },
      )
      return inTurn(body.size, () => (isJson ? parseJson(body) : parseForm(request, mediaType, body)))
    }
    return isOpen ? read() : others(caller?.name, read)
  })
}

/**
 * Limits how many request bodies are read at the same time.
 * @throws RateLimited when there are too many
 */
function limitConcurrency(limits: { caller: number; instance: number }) {
  const byCaller = new Map<string | undefined, number>()
  let total = 0
  return async <T>(caller: string | undefined, read: () => Promise<T>): Promise<T> => {
    const own = byCaller.get(caller) ?? 0
    if (own >= limits.caller || total >= limits.instance) throw new RateLimited(RETRY_SECONDS)
    byCaller.set(caller, own + 1)
    total++
    try {
      return await read()
    } finally {
      total--
      const remaining = (byCaller.get(caller) ?? 1) - 1
      if (remaining > 0) byCaller.set(caller, remaining)
      else byCaller.delete(caller)
    }
  }
}

/**
 * Parses large bodies one at a time, and serves other requests in between. Otherwise, several large bodies would block
 * the server until all of them are parsed.
 */
function oneAtATime() {
  // Wait for one cycle of the event loop, so that the values of one body are validated before the next body is parsed.
  const nextRound = () => new Promise((resolve) => setImmediate(resolve))
  let last: Promise<unknown> = Promise.resolve()
  return <T>(bytes: number, parse: () => Promise<T>): Promise<T> => {
    if (bytes < LARGE_BODY) return parse()
    const turn = last.then(parse)
    last = turn.then(nextRound, nextRound)
    return turn
  }
}

function checkMediaType(request: Request, { upload, takesJson }: RouteFacts, mediaType: string) {
  const acceptedTypes = isApi(request)
    ? [...(upload ? ['multipart/form-data'] : []), ...(!upload || takesJson ? ['application/json'] : [])]
    : ['application/x-www-form-urlencoded', 'multipart/form-data']
  if (acceptedTypes.includes(mediaType)) return
  if (!isApi(request)) throw new Refusal(415, 'Send the form as application/x-www-form-urlencoded')
  throw new Refusal(
    415,
    upload ? 'Send the file as multipart/form-data' : 'Send JSON with the content type application/json',
  )
}

type Reading = {
  /** Maximum size of the body, in bytes. */
  limit: number
  deadlineMs?: number
  /** Check that runs while data arrives. If it fails, reading stops with its error. */
  check?: { everyMs: number; run: () => Promise<unknown> } | undefined
  /**
   * Called for each chunk of data, to restart the request timeout.
   * Otherwise, the server would end a long request even while data arrives.
   */
  onChunk?: () => void
  tooLarge?: string
}

/**
 * Reads a request body.
 * @throws Refusal (413) above the size limit, Refusal (400) when the client disconnects or is too slow, the error of
 * `check`
 */
export async function readBody(
  request: Request,
  { limit, deadlineMs, check, onChunk = () => {}, tooLarge = 'The request is too large' }: Reading,
): Promise<Blob> {
  const refusal = new Refusal(413, tooLarge)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw refusal
  const reader = request.body?.getReader()
  let problem: unknown
  const stop = (error: unknown) => {
    problem ??= error
    void reader?.cancel().catch(() => {})
  }
  const deadline = deadlineMs && setTimeout(() => stop(new Refusal(400, 'The request took too long')), deadlineMs)
  // Ignore other errors, because an upload must survive a short failure of the database.
  const checks =
    check && setInterval(() => check.run().catch((error) => error instanceof Refusal && stop(error)), check.everyMs)
  const chunks = new Blocks()
  let bytes = 0
  try {
    onChunk()
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      onChunk()
      bytes += read.value.length
      if (bytes > limit) break
      chunks.add(read.value)
    }
  } catch {
    problem ??= new Refusal(400, 'The request ended before it was complete')
  } finally {
    clearTimeout(deadline)
    clearInterval(checks)
  }
  if (problem) throw problem
  if (bytes > limit) throw refusal
  return new Blob(chunks.all())
}

/**
 * Sizes of the first and the largest block, in bytes. Each block is twice as large as the previous block, up to the
 * largest size.
 */
const FIRST_BLOCK = 1 * KB
const BLOCK_BYTES = 64 * KB

/**
 * Collects the chunks of a request body.
 * Small chunks are copied into a shared array, because each array has a memory overhead.
 */
class Blocks {
  readonly #blocks: Uint8Array<ArrayBuffer>[] = []
  #block = new Uint8Array(0)
  #used = 0
  #size = FIRST_BLOCK

  add(chunk: Uint8Array<ArrayBuffer>) {
    if (this.#used + chunk.length > this.#block.length) {
      this.#flush()
      if (chunk.length >= this.#size) {
        this.#blocks.push(chunk)
        return
      }
      this.#block = new Uint8Array(this.#size)
      this.#size = Math.min(BLOCK_BYTES, 2 * this.#size)
    }
    this.#block.set(chunk, this.#used)
    this.#used += chunk.length
  }

  #flush() {
    if (this.#used) this.#blocks.push(this.#block.subarray(0, this.#used))
    this.#block = new Uint8Array(0)
    this.#used = 0
  }

  all(): Uint8Array<ArrayBuffer>[] {
    this.#flush()
    return this.#blocks
  }
}
