import { kinds } from '../../kinds'
import { Refused } from '../../refusals'
import type { SheetAnswer, SheetRequest, SheetSummary } from './worker-messages'

/**
 * Maximum time without a sign of progress while a worker reads a file, in milliseconds. A message from the worker or a
 * stored batch of rows is a sign of progress.
 */
const SILENCE_LIMIT_MS = 10_000

/**
 * Timeout for reading an .xls file, in milliseconds. A damaged file can cause an endless loop in the library, which
 * reads the whole file at once. An intact file takes less than 1 ms per KB on an idle machine, and several times as
 * long on a busy machine.
 */
const xlsLimitMs = (bytes: Uint8Array) => 4000 + bytes.length / 160

const limitFor = ({ bytes, fileName }: SheetRequest) =>
  /\.xls$/i.test(fileName) ? xlsLimitMs(bytes) : SILENCE_LIMIT_MS

const unreadable = (message: string) => Refused.field('file', message)

/**
 * Reads and validates a spreadsheet in its own worker thread. The worker is terminated afterwards, which frees its
 * memory. `keep` stores a batch of rows in COPY format. The next batch follows when the promise of `keep` resolves.
 * `logBroken` receives the reason when the reader crashes.
 * @throws Refused when the file cannot be read or takes too long, and every error that `keep` throws
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

/**
 * Maximum number of files that are read at the same time; further files wait. Each file needs a worker with its own
 * thread and memory.
 */
const MAX_WORKERS = 2
let running = 0
const waiting: (() => void)[] = []

/**
 * Waits until a file can be read in a worker.
 * @returns a function that lets the next waiting file begin
 */
async function reading(): Promise<() => void> {
  if (running >= MAX_WORKERS) await new Promise<void>((resolve) => waiting.push(resolve))
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
  let lastWrite: Promise<void> = Promise.resolve()
  let limit: Timer | undefined
  const restartTimeout = () => {
    clearTimeout(limit)
    limit = setTimeout(
      () => outcome.reject(unreadable('The file takes too long to read; is it damaged?')),
      limitFor(request),
    )
  }
  worker.onmessage = ({ data }: MessageEvent<SheetAnswer>) => {
    restartTimeout()
    if ('begun' in data) return
    if ('rows' in data) {
      lastWrite = lastWrite.then(async () => {
        await keep(data.rows, data.read)
        Atomics.add(request.kept, 0, 1)
        Atomics.notify(request.kept, 0)
        restartTimeout()
      })
      lastWrite.catch(outcome.reject)
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
    restartTimeout()
    worker.postMessage(request)
    const summary = await outcome.promise
    clearTimeout(limit)
    await lastWrite
    return summary
  } finally {
    clearTimeout(limit)
    worker.terminate()
  }
}
