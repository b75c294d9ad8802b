import { kinds } from '../../kinds'
import { Refused } from '../../refusals'
import type { SheetAnswer, SheetRequest, SheetSummary } from './worker'

/** A file that brings nothing for so long is given up. */
const SILENCE_LIMIT_MS = 10_000

/**
 * An .xls workbook is read in one go, and a damaged one can keep its reader busy for ever. A sound one takes less than
 * 1 ms for each KB on an idle machine; a busy one may take several times as long.
 */
const xlsLimitMs = (bytes: Uint8Array) => 4000 + bytes.length / 160

const limitFor = ({ bytes, fileName }: SheetRequest) =>
  /\.xls$/i.test(fileName) ? xlsLimitMs(bytes) : SILENCE_LIMIT_MS

const unreadable = (message: string) => Refused.field('file', message)

/**
 * Reads and validates a file in a worker of its own, which is ended afterwards with all the memory that it took. Rows
 * are handed to `keep` in their order, as COPY takes them; it is waited for. What the file broke in the reader goes to
 * `logBroken`.
 * @throws Refused when the file cannot be read or takes too long, and whatever `keep` throws
 */
export async function validateFile(
  file: Omit<SheetRequest, 'kept'>,
  keep: (rows: Uint8Array, read: number) => Promise<void>,
  logBroken: (reason: string) => void,
): Promise<SheetSummary> {
  const release = await reading()
  try {
    return await validateIn(new Worker(kinds('importWorker')), file, keep, logBroken)
  } finally {
    release()
  }
}

/** Files that are read at once: each takes a thread and its memory; others wait. */
const AT_ONCE = 2
let running = 0
const waiting: (() => void)[] = []

/** Waits for a turn. @returns what ends it */
async function reading(): Promise<() => void> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  return () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

async function validateIn(
  worker: Worker,
  file: Omit<SheetRequest, 'kept'>,
  keep: (rows: Uint8Array, read: number) => Promise<void>,
  logBroken: (reason: string) => void,
): Promise<SheetSummary> {
  const request: SheetRequest = { ...file, kept: new Int32Array(new SharedArrayBuffer(4)) }
  const outcome = Promise.withResolvers<SheetSummary>()
  let kept: Promise<void> = Promise.resolve()
  let limit: Timer | undefined
  const awaitWord = () => {
    clearTimeout(limit)
    limit = setTimeout(
      () => outcome.reject(unreadable('The file takes too long to read; is it damaged?')),
      limitFor(request),
    )
  }
  worker.onmessage = ({ data }: MessageEvent<SheetAnswer>) => {
    awaitWord()
    if ('begun' in data) return
    if ('rows' in data) {
      kept = kept.then(async () => {
        await keep(data.rows, data.read)
        Atomics.add(request.kept, 0, 1)
        Atomics.notify(request.kept, 0)
        awaitWord()
      })
      kept.catch(outcome.reject)
    } else if ('summary' in data) outcome.resolve(data.summary)
    else if ('refused' in data) outcome.reject(new Refused(data.refused))
    else {
      logBroken(data.broken)
      outcome.reject(unreadable('The file could not be read; is it damaged?'))
    }
  }
  worker.onerror = (event) => {
    event.preventDefault()
    outcome.reject(unreadable('The file could not be read'))
  }
  try {
    awaitWord()
    worker.postMessage(request)
    const summary = await outcome.promise
    clearTimeout(limit)
    await kept
    return summary
  } finally {
    clearTimeout(limit)
    worker.terminate()
  }
}
