import type { Write } from '../records/transactions'
import { costsHidden } from '../refusals'

const CHECK_EVERY_MS = 2000

/**
 * Checks again that the user has access, for example after waiting.
 * Also refuses a user who can no longer see costs, because the response was prepared with costs.
 * @returns a copy of `write` with the current time
 * @throws SignedOut or Forbidden when the user has lost access
 */
export async function renewed<Waiting extends Pick<Write, 'actor' | 'renewActor'>>(write: Waiting): Promise<Waiting> {
  if (!write.renewActor) return write
  const actor = { ...write.actor, ...(await write.renewActor()) }
  if (actor.hides_costs && !write.actor.hides_costs) throw costsHidden()
  return { ...write, actor }
}

type Downloading = Pick<Write, 'actor' | 'renewActor'>

function accessChecks(write: Downloading, everyMs: number): () => Promise<void> {
  let checkedAt = performance.now()
  return async () => {
    if (performance.now() - checkedAt <= everyMs) return
    await renewed(write)
    checkedAt = performance.now()
  }
}

/**
 * Yields the rows of a download while the user has access. If the user loses access, for example because the account is
 * deactivated, the download ends with an error.
 */
export async function* whileAllowed<Batch>(
  write: Downloading,
  batches: AsyncIterable<Batch>,
  everyMs = CHECK_EVERY_MS,
): AsyncGenerator<Batch> {
  const check = accessChecks(write, everyMs)
  for await (const batch of batches) {
    await check()
    yield batch
  }
}

/** Does the same as `whileAllowed` for a stream of bytes. */
export function bytesWhileAllowed(
  write: Downloading,
  bytes: ReadableStream<Uint8Array>,
  everyMs = CHECK_EVERY_MS,
): ReadableStream<Uint8Array> {
  const check = accessChecks(write, everyMs)
  const reader = bytes.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          await check()
        } catch (error) {
          await reader.cancel()
          throw error
        }
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Without a buffer, no piece is read before the client has received the previous one.
    { highWaterMark: 0 },
  )
}
