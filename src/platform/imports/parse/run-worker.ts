import { Conflict, Refused } from '../../refusals'
import type { SheetAnswer, SheetRequest, SheetSummary, SheetTable, TableRequest } from './worker-messages'
import { isXls, type Request, type Waiting, Workers } from './workers'

/**
 * Timeout of a worker for a file, in milliseconds of CPU time.
 * The timeout restarts with each message from the worker and each stored batch of rows.
 */
const SILENCE_LIMIT_MS = 30_000

/**
 * Timeout for reading an .xls file, in milliseconds of CPU time. A damaged file can cause an endless loop in the
 * library, which reads the whole file at once. An intact file takes less than 1 ms per KB.
 */
const xlsLimitMs = (bytes: Uint8Array) => 4000 + bytes.length / 320

/** Limit of the elapsed time, as a multiple of the CPU limit. It is high, because the machine can be busy. */
const ELAPSED_FACTOR = 10

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Calls `expire` when the process has used `limitMs` of CPU time.
 * Also calls `expire` when `ELAPSED_FACTOR` times `limitMs` has elapsed. The CPU time includes all threads, because the
 * time of a single thread cannot be measured. `expire` is never called before `limitMs` have elapsed.
 * @returns a function that stops the timer
 */
function startTimer(limitMs: number, expire: () => void): () => void {
  const [began, cpuBegan] = [performance.now(), cpuMs()]
  let timer: Timer
  const check = () => {
    const remainingMs = limitMs - (cpuMs() - cpuBegan)
    if (remainingMs <= 0 || performance.now() - began >= ELAPSED_FACTOR * limitMs) expire()
    else timer = setTimeout(check, Math.max(remainingMs, 100))
  }
  timer = setTimeout(check, limitMs)
  return () => clearTimeout(timer)
}

const unreadable = (message: string) => Refused.field('file', message)

const limitFor = (request: Request) => (isXls(request) ? xlsLimitMs(request.bytes) : SILENCE_LIMIT_MS)

/**
 * Maximum number of an account's small tables that wait for a worker. The number is limited, because each waiting table
 * is held in memory.
 */
const WAITING_LIMIT = 8

const importWorkers = new Workers(2)
/** Separate worker for small tables, such as invoices. Small tables then do not wait for long imports. */
const tableWorkers = new Workers(1)

/**
 * Reads and validates a spreadsheet in a worker thread. `waiting` loads the file and contains the account that uploaded
 * it. `keep` stores a batch of rows in Postgres COPY format, and is called for one batch at a time. `logBroken`
 * receives the reason if the reader crashes.
 * @throws Refused when the file cannot be read or takes too long, and every error that `keep` throws
 */
export async function validateFile(
  waiting: Waiting<Omit<SheetRequest, 'storedBatches'>>,
  keep: (rows: Uint8Array, read: number) => Promise<void>,
  logBroken: (reason: string) => void,
): Promise<SheetSummary> {
  const load = async (): Promise<SheetRequest> => ({
    ...(await waiting.load()),
    storedBatches: new Int32Array(new SharedArrayBuffer(4)),
  })
  let lastWrite: Promise<void> = Promise.resolve()
  const summary = await importWorkers.run({ ...waiting, load }, (worker, request) =>
    ask({ worker, request, logBroken, signal: waiting.signal }, (answer, { restartTimeout, fail }) => {
      if ('summary' in answer) return answer.summary
      if (!('rows' in answer)) return undefined
      lastWrite = lastWrite.then(async () => {
        await keep(answer.rows, answer.read)
        Atomics.add(request.storedBatches, 0, 1)
        Atomics.notify(request.storedBatches, 0)
        restartTimeout()
      })
      lastWrite.catch(fail)
      return undefined
    }),
  )
  await lastWrite
  return summary
}

/**
 * Reads the lines of a small table in a worker thread.
 * Even a small file can take seconds to read. Accounts take turns, as in `validateFile`.
 * @throws Refused when the file cannot be read or takes too long, Conflict when the account already has too many files
 * waiting
 */
export async function readTable(
  request: TableRequest,
  account: string | null,
  logBroken: (reason: string) => void,
): Promise<SheetTable> {
  if (tableWorkers.waiting(account) >= WAITING_LIMIT)
    throw new Conflict(`${WAITING_LIMIT} of your files are waiting to be read. Wait until one of them is finished.`)
  return tableWorkers.run({ account, load: async () => request }, (worker) =>
    ask({ worker, request, logBroken }, (answer) => ('table' in answer ? answer.table : undefined)),
  )
}

type Task = {
  worker: Worker
  request: Request
  logBroken: (reason: string) => void
  signal?: AbortSignal | undefined
}
type Control = { restartTimeout: () => void; fail: (error: unknown) => void }

/**
 * Sends a request to a worker and waits for the result. `resultOf` is called for each message and returns undefined
 * until the result arrives.
 * @throws Refused when the worker refuses the file, crashes or takes too long, or the reason of `signal`
 */
async function ask<Result>(
  { worker, request, logBroken, signal }: Task,
  resultOf: (answer: SheetAnswer, control: Control) => Result | undefined,
): Promise<Result> {
  const outcome = Promise.withResolvers<Result>()
  const limitMs = limitFor(request)
  const expire = () => outcome.reject(unreadable('The file takes too long to read. The file may be damaged.'))
  let stopTimer = () => {}
  let hasEnded = false
  const restartTimeout = () => {
    stopTimer()
    // Do not restart the timer after the worker has finished. The last batches are often stored after that moment, when
    // there is nothing left to wait for.
    if (!hasEnded) stopTimer = startTimer(limitMs, expire)
  }
  worker.onmessage = ({ data }: MessageEvent<SheetAnswer>) => {
    restartTimeout()
    if ('refused' in data) return outcome.reject(new Refused(data.refused))
    if ('broken' in data) {
      logBroken(data.broken)
      return outcome.reject(unreadable('The file could not be read. The file may be damaged.'))
    }
    const result = resultOf(data, { restartTimeout, fail: outcome.reject })
    if (result !== undefined) outcome.resolve(result)
  }
  worker.onerror = (event) => {
    event.preventDefault()
    outcome.reject(unreadable('The file could not be read'))
  }
  // A worker can end without an error, for example if it has no memory left.
  const fail = () => {
    logBroken('the worker ended')
    outcome.reject(unreadable('The file could not be read. Try again.'))
  }
  worker.addEventListener('close', fail)
  const abort = () => outcome.reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  try {
    restartTimeout()
    worker.postMessage(request)
    return await outcome.promise
  } finally {
    hasEnded = true
    stopTimer()
    worker.removeEventListener('close', fail)
    signal?.removeEventListener('abort', abort)
  }
}
