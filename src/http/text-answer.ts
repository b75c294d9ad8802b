const WORTH_COMPRESSING = 1400

/** A text answer, compressed when the browser takes it and it is worth it. */
export function textAnswer(request: Request, text: string, type: string, status = 200): Response {
  const headers: Record<string, string> = { 'content-type': type, vary: 'accept-encoding' }
  if (text.length < WORTH_COMPRESSING || !request.headers.get('accept-encoding')?.includes('gzip')) {
    return new Response(text, { status, headers })
  }
  headers['content-encoding'] = 'gzip'
  return new Response(Bun.gzipSync(Buffer.from(text), { level: 3 }), { status, headers })
}
