import type { Write } from '../../records/transactions'
import type { Batches } from './table-file'

/** Interval, in milliseconds, of the checks that the user of a download still has access. */
const CHECK_EVERY_MS = 2000

/**
 * Passes on the rows of a download while the user has access. A download ends with an error after the account was
 * deactivated, for example.
 */
export async function* whileAllowed(
  { renewActor }: Pick<Write, 'renewActor'>,
  batches: Batches,
  everyMs = CHECK_EVERY_MS,
): Batches {
  let checkedAt = performance.now()
  for await (const batch of batches) {
    if (performance.now() - checkedAt > everyMs) {
      await renewActor?.()
      checkedAt = performance.now()
    }
    yield batch
  }
}
