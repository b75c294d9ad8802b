import { Refused } from '../../refusals'
import { stagedText } from './staged-text'
import type { ValidatedRow } from './validate-rows'
import type { SheetRequest } from './worker-messages'

/**
 * Maximum total size of the rows read from a file, in bytes.
 * The maximum is `STAGED_BASE`, plus `STAGED_PER_BYTE` for each byte of the file, but at most `STAGED_LIMIT`.
 */
const STAGED_BASE = 16 * 1024 * 1024
const STAGED_PER_BYTE = 40
const STAGED_LIMIT = 128 * 1024 * 1024
const MAX_BATCHES_AHEAD = 8

export class RowBatches {
  #bytes = 0
  #sent = 0

  constructor(
    readonly request: Pick<SheetRequest, 'uploadId' | 'bytes' | 'storedBatches'>,
    readonly post: (rows: Uint8Array<ArrayBuffer>, read: number) => void,
  ) {}

  /**
   * Sends a batch of rows to the main thread. First waits while too many earlier batches are not stored yet.
   * @param read share of the file that has been read, from 0 to 1
   * @throws Refused when the rows are far too large for the size of the file
   */
  send(batch: ValidatedRow[], read: number): void {
    const rows = new TextEncoder().encode(stagedText(this.request.uploadId, batch))
    this.#bytes += rows.length
    if (this.#bytes > Math.min(STAGED_BASE + STAGED_PER_BYTE * this.request.bytes.length, STAGED_LIMIT))
      throw Refused.field('file', 'The file contains far too much text; remove text that is repeated in many cells')
    this.#awaitRoom()
    this.post(rows, read)
  }

  /** Waits while too many batches of rows are not stored yet. More batches would fill the memory. */
  #awaitRoom() {
    const { storedBatches } = this.request
    for (
      let stored = Atomics.load(storedBatches, 0);
      this.#sent - stored >= MAX_BATCHES_AHEAD;
      stored = Atomics.load(storedBatches, 0)
    )
      Atomics.wait(storedBatches, 0, stored, 1000)
    this.#sent++
  }
}
