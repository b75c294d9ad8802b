const WORTH_COMPRESSING = 1400

/**
 * What Bun sends with its head in one write. A larger asynchronous answer leaves as a write for every header and piece,
 * about fifty of them, unless its body is a stream.
 */
const CORKED = 15_000

const inOneWrite = (bytes: Uint8Array<ArrayBuffer>) =>
  bytes.length < CORKED
    ? bytes
    : new ReadableStream({
        start(controller) {
          controller.enqueue(bytes)
          controller.close()
        },
      })

/** A text answer, compressed when the browser takes it and it is worth it. */
export function textAnswer(request: Request, text: string, type: string, status = 200): Response {
  const headers: Record<string, string> = { 'content-type': type, vary: 'accept-encoding' }
  const bytes = Buffer.from(text)
  if (text.length < WORTH_COMPRESSING || !request.headers.get('accept-encoding')?.includes('gzip'))
    return new Response(inOneWrite(bytes), { status, headers })
  headers['content-encoding'] = 'gzip'
  return new Response(inOneWrite(Bun.gzipSync(bytes, { level: 3 })), { status, headers })
}
