import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { isOwnAccess } from '../paths'
import { Refusal } from '../refusals'
import type { RouteFacts } from './about'
import { limitConcurrency, oneAtATime } from './body-limits'
import { fileCount, parseForm, parseJson, parseMultipart, textLength } from './parse-body'
import { type Reading, readBody } from './read-body'
import { isApi } from './request'
import { scanFiles } from './scan-files'

const KB = 1024
const MB = 1024 * KB

/**
 * Maximum body size, in bytes, of requests about the user's own access. Examples are a sign-in and a password change.
 * The largest is the body of a sign-in. It contains the username, the password and an encrypted copy of the form that
 * the user could not submit because the session had expired.
 */
const ACCESS_LIMIT = 16 * KB
const ACCESS_DEADLINE_MS = 10_000
const FORM_LIMIT = MB
const JSON_LIMIT = 2 * MB
/**
 * Timeout of uploads, in seconds.
 * The timeout restarts with each chunk of data. After the last chunk, the response must follow within this time.
 */
const UPLOAD_TIMEOUT = 240
/** Minimum speed of an upload, in bytes per millisecond. At this speed, a file of 25 MB takes about 16 minutes. */
const UPLOAD_SPEED = 28
const BODY_DEADLINE_MS = 120_000
/** Interval at which the session is checked while a body is read. */
const CHECK_EVERY_MS = 10_000
/**
 * Maximum number of concurrent uploads, per caller and per server instance.
 * The limit saves memory, because each upload is held in memory and needs even more while it is parsed.
 */
const UPLOADS_AT_ONCE = { caller: 8, instance: 24 }
/** Maximum number of files in a form. The number is limited, because each file is scanned for viruses. */
const FILES_LIMIT = 50
const BODIES_AT_ONCE = { caller: 32, instance: 256 }

type Server = { timeout(request: Request, seconds: number): void } | null
export type BodyContext = {
  request: Request
  route: string
  server: Server
  contentType: string
  set: { headers: Record<string, string | number> }
}

export type Caller = {
  /**
   * Name under which the caller's open request bodies are counted.
   * All sessions of an account share one name, and all its API tokens share another.
   */
  name: string
  /** @throws SignedOut or Forbidden when the user has lost access */
  checkAgain: () => Promise<unknown>
}

type Guard = {
  /**
   * Checks that the user can use the route. Runs before the body is read.
   * @throws Refusal when the request is not allowed
   */
  admit: (context: BodyContext) => Promise<Caller>
  /** Timeout in seconds. Tests set a shorter one. */
  uploadTimeout?: number
  checkEveryMs?: number
}

/**
 * Elysia plugin that reads a request body only after the permission check.
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
    if (fileCount(fields) > FILES_LIMIT) throw new Refusal(413, `Send at most ${FILES_LIMIT} files at a time`)
    await scanFiles(ctx, request, fields, check?.run)
    return fields
  }

  return new Elysia({ name: 'bodies' }).onParse({ as: 'global' }, async (context) => {
    const { request, server, route } = context
    if (request.body === null) return
    const facts = ctx.routes.factsOf(request.method, route) ?? {}
    const isOpen = facts.role === 'anyone'
    const isAccess = isOpen || isOwnAccess(route)
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
        isAccess
          ? { limit: ACCESS_LIMIT, deadlineMs: ACCESS_DEADLINE_MS }
          : { limit: isJson ? JSON_LIMIT : FORM_LIMIT, deadlineMs: BODY_DEADLINE_MS, check },
      )
      return inTurn(body.size, () => (isJson ? parseJson(body) : parseForm(request, mediaType, body)))
    }
    return isAccess ? read() : others(caller?.name, read)
  })
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
