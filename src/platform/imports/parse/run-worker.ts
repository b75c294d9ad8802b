import { kinds } from '../../kinds'
import { Refused } from '../../refusals'
import { sniff } from '../spreadsheet/sniff'
import type { SheetAnswer, SheetRequest, SheetSummary, SheetTable, TableRequest } from './worker-messages'

/**
 * Maximum time without a sign of progress while a worker reads a file, in milliseconds. A message from the worker or a
 * stored batch of rows is a sign of progress.
 */
const SILENCE_LIMIT_MS = 30_000

/**
 * Timeout for reading an .xls file, in milliseconds. A damaged file can cause an endless loop in the library, which
 * reads the whole file at once. An intact file takes less than 1 ms per KB on an idle machine, and several times as
 * long on a busy machine.
 */
const xlsLimitMs = (bytes: Uint8Array) => 4000 + bytes.length / 160

type Request = SheetRequest | TableRequest

const limitFor = ({ bytes, fileName }: Request) => (/\.xls$/i.test(fileName) ? xlsLimitMs(bytes) : SILENCE_LIMIT_MS)

const unreadable = (message: string) => Refused.field('file', message)

/** Time in milliseconds after which a worker without a file ends. */
const IDLE_LIMIT_MS = 30_000

/**
 * Size in bytes up to which a worker is used again for the next file, because starting a worker takes about 0.4 s. The
 * memory of a larger file is freed by ending its worker.
 */
const REUSE_LIMIT = 1024 * 1024

/**
 * True if the worker can read another file afterwards. The library for .xls files is not trusted to leave no traces of
 * a hostile file in its worker.
 */
const isHarmless = ({ bytes, fileName }: Request) => bytes.length <= REUSE_LIMIT && sniff(bytes, fileName) !== 'xls'

/** Limits how many files are read at the same time. Each file needs a worker with its own thread and memory. */
class Workers {
  #running = 0
  readonly #waiting: (() => void)[] = []
  #idle: { worker: Worker; end: Timer } | undefined

  constructor(readonly limit: number) {}

  /** Runs `work` as soon as fewer files than the limit are being read. */
  async run<Result>(request: Request, work: (worker: Worker) => Promise<Result>): Promise<Result> {
    if (this.#running >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    const worker = this.#start()
    try {
      const result = await work(worker)
      if (isHarmless(request)) this.#keep(worker)
      return result
    } finally {
      if (this.#idle?.worker !== worker) worker.terminate()
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  #start(): Worker {
    const idle = this.#idle
    this.#idle = undefined
    if (!idle) return new Worker(kinds('importWorker'))
    clearTimeout(idle.end)
    return idle.worker
  }

  #keep(worker: Worker) {
    if (this.#idle) return
    const end = setTimeout(() => {
      this.#idle = undefined
      worker.terminate()
    }, IDLE_LIMIT_MS)
    end.unref()
    this.#idle = { worker, end }
  }
}

const importWorkers = new Workers(2)
/** A small table does not wait for long imports. */
const tableWorkers = new Workers(1)

/**
 * Reads and validates a spreadsheet in a worker thread. `keep` stores a batch of rows in COPY format. The next batch
 * follows when the promise of `keep` resolves.
 * `logBroken` receives the reason when the reader crashes.
 * @throws Refused when the file cannot be read or takes too long, and every error that `keep` throws
 */
export async function validateFile(
  file: Omit<SheetRequest, 'kept'>,
  keep: (rows: Uint8Array, read: number) => Promise<void>,
  logBroken: (reason: string) => void,
): Promise<SheetSummary> {
  const request: SheetRequest = { ...file, kept: new Int32Array(new SharedArrayBuffer(4)) }
  let lastWrite: Promise<void> = Promise.resolve()
  const summary = await importWorkers.run(request, (worker) =>
    ask(worker, request, logBroken, (answer, { restartTimeout, fail }) => {
      if ('summary' in answer) return answer.summary
      if (!('rows' in answer)) return undefined
      lastWrite = lastWrite.then(async () => {
        await keep(answer.rows, answer.read)
        Atomics.add(request.kept, 0, 1)
        Atomics.notify(request.kept, 0)
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
 * Reads the lines of a small table in a worker thread, because a hostile file can take seconds to read.
 * @throws Refused when the file cannot be read or takes too long
 */
export const readTable = (request: TableRequest, logBroken: (reason: string) => void): Promise<SheetTable> =>
  tableWorkers.run(request, (worker) =>
    ask(worker, request, logBroken, (answer) => ('table' in answer ? answer.table : undefined)),
  )

type Control = { restartTimeout: () => void; fail: (error: unknown) => void }

/**
 * Sends a request to a worker. `resultOf` receives each message and returns the result when it has arrived.
 * @throws Refused when the worker refuses the file, crashes or takes too long
 */
async function ask<Result>(
  worker: Worker,
  request: Request,
  logBroken: (reason: string) => void,
  resultOf: (answer: SheetAnswer, control: Control) => Result | undefined,
): Promise<Result> {
  const outcome = Promise.withResolvers<Result>()
  let limit: Timer | undefined
  const restartTimeout = () => {
    clearTimeout(limit)
    limit = setTimeout(
      () => outcome.reject(unreadable('The file takes too long to read. The file may be damaged.')),
      limitFor(request),
    )
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
  try {
    restartTimeout()
    worker.postMessage(request)
    return await outcome.promise
  } finally {
    clearTimeout(limit)
  }
}
