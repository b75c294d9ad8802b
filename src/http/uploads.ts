import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { Refusal, SignedOut } from '../refusals'

/** In seconds, the longest silence within an upload, and the longest wait for the answer to a large one. */
const PATIENCE = 240

/** What a form says around its file. */
const FORM_MARGIN = 1024 * 1024

/**
 * Gives uploads the time that a slow line, or a large import, takes; to strangers not even the wait for their
 * bytes.
 */
export const uploads = (ctx: AppContext, isSignedIn: (request: Request) => Promise<boolean>, patience = PATIENCE) =>
  new Elysia({ name: 'uploads' }).onParse({ as: 'global' }, async ({ request, server, contentType, route }) => {
    if (!ctx.routes.factsOf(request.method, route)?.upload) return
    if (!(await isSignedIn(request))) throw new SignedOut()
    if (contentType !== 'multipart/form-data') return
    server?.timeout(request, patience)
    const limit = ctx.config.maxUploadBytes + FORM_MARGIN
    const body = await bodyOf(request, limit, () => server?.timeout(request, patience))
    const form = await new Response(body, { headers: { 'content-type': request.headers.get('content-type') ?? '' } })
      .formData()
      .catch(() => {
        throw new Refusal(400, 'The request could not be read')
      })
    return Object.fromEntries(form)
  })

/**
 * Reads a body piece by piece. The server ends a request that takes longer than its limit even while bytes arrive; each
 * piece begins the limit anew, so that only silence ends an upload.
 *
 * @throws a 413 refusal beyond the limit, a 400 refusal when the client goes away
 */
async function bodyOf(request: Request, limit: number, onPiece: () => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    for await (const piece of request.body ?? []) {
      onPiece()
      bytes += piece.length
      if (bytes > limit) break
      pieces.push(piece)
    }
  } catch {
    throw new Refusal(400, 'The upload was cut off')
  }
  if (bytes > limit)
    throw new Refusal(413, `The file is larger than ${Math.floor((limit - FORM_MARGIN) / 1024 / 1024)} MB`)
  return new Blob(pieces)
}
