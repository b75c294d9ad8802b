import { Refusal } from '../refusals'

export type Reading = {
  /** Maximum size of the body, in bytes. */
  limit: number
  deadlineMs?: number
  /** Check that runs repeatedly while data arrives. If it throws a refusal, reading stops. Other errors are ignored. */
  check?: { everyMs: number; run: () => Promise<unknown> } | undefined
  /**
   * Called for each chunk of data, to restart the request timeout.
   * Otherwise, the server would end a long request even while data arrives.
   */
  onChunk?: () => void
  tooLarge?: string
}

/**
 * @throws Refusal (413) above the size limit, Refusal (400) when the client disconnects or is too slow, and the
 * refusals of `check`
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
  const deadline =
    deadlineMs &&
    setTimeout(() => stop(new Refusal(400, 'The request took too long to arrive. Try again.')), deadlineMs)
  // Stop reading only if access is refused. A short failure of the database must not abort an upload.
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
    problem ??= new Refusal(400, 'The request was cut off before all of it arrived. Send it again.')
  } finally {
    clearTimeout(deadline)
    clearInterval(checks)
  }
  if (problem) throw problem
  if (bytes > limit) throw refusal
  return new Blob(chunks.all())
}

const FIRST_BLOCK = 1024
const BLOCK_BYTES = 64 * 1024

/**
 * Collects the chunks of a request body.
 * Small chunks are copied into shared blocks, because each array has a memory overhead.
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
