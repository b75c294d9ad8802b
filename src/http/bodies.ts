import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { Refusal } from '../refusals'
import type { RouteFacts } from './about'
import { parseForm, parseJson, parseMultipart } from './parse-body'
import { isApi } from './request'
import { scanFiles } from './scan-files'

const KB = 1024
const MB = 1024 * KB

/** In bytes. Nobody signed out sends more than a name, a password and the form held for them. */
const SIGNED_OUT_LIMIT = 16 * KB
const FORM_LIMIT = MB
const JSON_LIMIT = 2 * MB
/** In seconds: the longest silence within an upload, and the longest wait for the answer to a large one. */
const UPLOAD_TIMEOUT = 240

type Server = { timeout(request: Request, seconds: number): void } | null
/** A request with a body, as Elysia's parse hook passes it. */
export type BodyContext = {
  request: Request
  route: string
  server: Server
  contentType: string
  set: { headers: Record<string, string | number> }
}

type Guard = {
  /** Admits the user to the route before anything is read. @throws Refusal */
  admit: (context: BodyContext) => Promise<unknown>
  /** In seconds; shorter in tests. */
  uploadTimeout?: number
}

/**
 * Reads the body of every request, once its sender has been admitted to the route. Elysia's own parsers read whatever
 * arrives, before any check, so a body never reaches them.
 */
export const bodies = (ctx: AppContext, { admit, uploadTimeout = UPLOAD_TIMEOUT }: Guard) =>
  new Elysia({ name: 'bodies' }).onParse({ as: 'global' }, async (context) => {
    const { request, server, route } = context
    if (request.body === null) return
    const facts = ctx.routes.factsOf(request.method, route) ?? {}
    if (facts.role !== 'anyone') await admit(context as BodyContext)
    const mediaType = context.contentType.trim().toLowerCase()
    checkMediaType(request, facts, mediaType)
    if (mediaType === 'application/json') return parseJson(await readBody(request, limitOf(facts, JSON_LIMIT)))
    if (!facts.upload || mediaType !== 'multipart/form-data')
      return parseForm(request, mediaType, await readBody(request, limitOf(facts, FORM_LIMIT)))
    const keepOpen = () => server?.timeout(request, uploadTimeout)
    const limit = ctx.config.maxUploadBytes + FORM_LIMIT
    const body = await readBody(
      request,
      limit,
      keepOpen,
      `The file is larger than ${ctx.config.maxUploadBytes / MB} MB`,
    )
    const fields = await parseMultipart(request, body)
    await scanFiles(ctx, request, fields)
    return fields
  })

const limitOf = ({ role }: RouteFacts, usual: number) => (role === 'anyone' ? SIGNED_OUT_LIMIT : usual)

/** @throws a 415 refusal for a body that the route does not take */
function checkMediaType(request: Request, { upload, takesJson }: RouteFacts, mediaType: string) {
  const taken = isApi(request)
    ? [...(upload ? ['multipart/form-data'] : []), ...(!upload || takesJson ? ['application/json'] : [])]
    : ['application/x-www-form-urlencoded', 'multipart/form-data']
  if (taken.includes(mediaType)) return
  if (!isApi(request)) throw new Refusal(415, 'Send the form as application/x-www-form-urlencoded')
  throw new Refusal(
    415,
    upload ? 'Send the file as multipart/form-data' : 'Send JSON with the content type application/json',
  )
}

/**
 * Reads a body up to `limit` bytes. The server ends a request that takes longer than its timeout even while bytes
 * arrive, so `onChunk` can start the timeout again.
 * @throws a 413 refusal beyond the limit, a 400 refusal when the client goes away
 */
export async function readBody(
  request: Request,
  limit: number,
  onChunk = () => {},
  tooLarge = 'The request is too large',
): Promise<Blob> {
  const refusal = new Refusal(413, tooLarge)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw refusal
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    onChunk()
    for await (const chunk of request.body ?? []) {
      onChunk()
      bytes += chunk.length
      if (bytes > limit) break
      chunks.push(chunk)
    }
  } catch {
    throw new Refusal(400, 'The request was cut off')
  }
  if (bytes > limit) throw refusal
  return new Blob(chunks)
}
