import type { Write } from '../records/transactions'
import type { Download } from '../stored-download'
import { bytesWhileAllowed } from './while-allowed'

/**
 * Creates a download response with a user-supplied file name.
 * In the header, `filename` is plain ASCII for old browsers, and `filename*` is the full name (RFC 6266).
 */
export function attachment(
  name: string,
  type: string,
  body: Uint8Array<ArrayBuffer> | AsyncGenerator<Uint8Array> | Download['body'],
  { isInline = false } = {},
): Response {
  const plain = name.replace(/[^\w.\- ]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  const disposition = `${isInline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
  return new Response(body as BodyInit, { headers: { 'content-type': type, 'content-disposition': disposition } })
}

/**
 * Largest file, in bytes, that is sent in one piece.
 * Larger files are streamed. Bun sends no length with a stream, even if the header `content-length` is set.
 */
const SMALL_BYTES = 1024 * 1024

/**
 * Creates the download response for a stored file.
 * If the user loses access while a large file is sent, the download is aborted.
 */
export function storedAttachment(
  write: Pick<Write, 'actor' | 'renewActor'>,
  name: string,
  type: string,
  { body, size }: Download,
  options?: { isInline?: boolean },
): Response {
  const isSmall = body instanceof Blob && size <= SMALL_BYTES
  const bytes = body instanceof Blob ? body.stream() : body
  const response = attachment(name, type, isSmall ? body : bytesWhileAllowed(write, bytes), options)
  response.headers.set('content-length', String(size))
  return response
}
