import { kinds } from '../../kinds'
import { Conflict, Refused } from '../../refusals'
import { sniff } from '../spreadsheet/sniff'
import type { SheetAnswer, SheetRequest, SheetSummary, SheetTable, TableRequest } from './worker-messages'

/**
 * Timeout for a worker that reads a file, in milliseconds of CPU time. It restarts with each message from the worker
 * and each stored batch of rows.
 */
const SILENCE_LIMIT_MS = 30_000

/**
 * Timeout for reading an .xls file, in milliseconds of CPU time. A damaged file can cause an endless loop in the
 * library, which reads the whole file at once. An intact file takes less than 1 ms per KB.
 */
const xlsLimitMs = (bytes: Uint8Array) => 4000 + bytes.length / 320

/** Timeout in elapsed time, as a multiple of the timeout in CPU time. It is long, because the machine can be busy. */
const ELAPSED_FACTOR = 10

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Calls `expire` when the process has used `limitMs` of CPU time, or after a multiple of this time. The CPU time of a
 * single thread cannot be measured, so other threads count too, but `limitMs` always passes before the call.
 * @returns a function that stops the timer
 */
function startTimer(limitMs: number, expire: () => void): () => void {
  const [began, cpuBegan] = [performance.now(), cpuMs()]
  let timer: Timer
  const check = () => {
    const left = limitMs - (cpuMs() - cpuBegan)
    if (left <= 0 || performance.now() - began >= ELAPSED_FACTOR * limitMs) expire()
    else timer = setTimeout(check, Math.max(left, 100))
  }
  timer = setTimeout(check, limitMs)
  return () => clearTimeout(timer)
}

type Request = SheetRequest | TableRequest

/** A file that waits for a worker. It is loaded only when a worker is free, because files can be large. */
type Waiting<Loaded> = { account: string | null; load: () => Promise<Loaded> }

const unreadable = (message: string) => Refused.field('file', message)

/** True if the library for .xls files reads the file. An .xls file can also have the name of an .xlsx file. */
function isXls({ bytes, fileName }: Request): boolean {
  try {
    return sniff(bytes, fileName) === 'xls'
  } catch {
    return false
  }
}

const limitFor = (request: Request) => (isXls(request) ? xlsLimitMs(request.bytes) : SILENCE_LIMIT_MS)

/** Time after which an idle worker is ended, in milliseconds. */
const IDLE_LIMIT_MS = 30_000

/**
 * Maximum file size, in bytes, after which a worker is reused. Reuse saves the startup time of about 0.4 s. After a
 * larger file, the worker is ended to free its memory.
 */
const REUSE_LIMIT = 1024 * 1024

/**
 * True if the worker can be reused after this file. It is not reused after an .xls file, because a malicious file could
 * change the state of the library that reads it.
 */
const isHarmless = (request: Request) => request.bytes.length <= REUSE_LIMIT && !isXls(request)

/** Maximum number of small tables of an account that wait for a worker. Each of them is in memory. */
const WAITING_LIMIT = 8

/**
 * Limits how many files are read at the same time. Each file needs a worker with its own thread and memory. An account
 * uses one worker at a time, and accounts take turns, so that the files of one account cannot keep others waiting.
 */
class Workers {
  readonly #running: (string | null)[] = []
  readonly #waiting: { account: string | null; start: () => void }[] = []
  /** For each account, the number of the latest turn that it got. */
  readonly #latestTurn = new Map<string | null, number>()
  #turns = 0
  #idle: { worker: Worker; end: Timer } | undefined

  constructor(readonly limit: number) {}

  /** Waits until a worker is free and the account uses no other worker. Then loads the file and runs `work` with it. */
  async run<Loaded extends Request, Result>(
    { account, load }: Waiting<Loaded>,
    work: (worker: Worker, request: Loaded) => Promise<Result>,
  ): Promise<Result> {
    await this.#turn(account)
    let worker: Worker | undefined
    try {
      const request = await load()
      worker = this.#start()
      const result = await work(worker, request)
      if (isHarmless(request)) this.#keep(worker)
      return result
    } finally {
      if (worker && this.#idle?.worker !== worker) worker.terminate()
      this.#running.splice(this.#running.indexOf(account), 1)
      this.#startNext()
    }
  }

  #turn(account: string | null): Promise<void> {
    const turn = new Promise<void>((start) => this.#waiting.push({ account, start }))
    this.#startNext()
    return turn
  }

  /** Number of files of an account that wait for a worker. */
  waiting(account: string | null): number {
    return this.#waiting.filter((one) => one.account === account).length
  }

  #startNext() {
    if (this.#running.length >= this.limit) return
    const latestTurnOf = ({ account }: { account: string | null }) => this.#latestTurn.get(account) ?? 0
    const [next] = this.#waiting
      .filter(({ account }) => !this.#running.includes(account))
      .sort((a, b) => latestTurnOf(a) - latestTurnOf(b))
    if (!next) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#latestTurn.set(next.account, ++this.#turns)
    this.#running.push(next.account)
    next.start()
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
/** Separate worker for small tables, such as invoices, so that they do not wait for long imports. */
const tableWorkers = new Workers(1)

/**
 * Reads and validates a spreadsheet in a worker thread. `waiting` loads the file and contains the account that uploaded
 * it. `keep` stores a batch of rows, which is in Postgres COPY format; it is called for one batch at a time.
 * `logBroken` receives the reason if the reader crashes.
 * @throws Refused when the file cannot be read or takes too long, and every error that `keep` throws
 */
export async function validateFile(
  waiting: Waiting<Omit<SheetRequest, 'kept'>>,
  keep: (rows: Uint8Array, read: number) => Promise<void>,
  logBroken: (reason: string) => void,
): Promise<SheetSummary> {
  const load = async (): Promise<SheetRequest> => ({
    ...(await waiting.load()),
    kept: new Int32Array(new SharedArrayBuffer(4)),
  })
  let lastWrite: Promise<void> = Promise.resolve()
  const summary = await importWorkers.run({ ...waiting, load }, (worker, request) =>
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
 * Reads the lines of a small table in a worker thread, because a hostile file can take seconds to read. Accounts take
 * turns, as in `validateFile`.
 * @throws Refused when the file cannot be read or takes too long, Conflict when too many files of the account wait
 */
export async function readTable(
  request: TableRequest,
  account: string | null,
  logBroken: (reason: string) => void,
): Promise<SheetTable> {
  if (tableWorkers.waiting(account) >= WAITING_LIMIT)
    throw new Conflict(`${WAITING_LIMIT} of your files are waiting to be read. Wait until one of them is finished.`)
  return tableWorkers.run({ account, load: async () => request }, (worker) =>
    ask(worker, request, logBroken, (answer) => ('table' in answer ? answer.table : undefined)),
  )
}

type Control = { restartTimeout: () => void; fail: (error: unknown) => void }

/**
 * Sends a request to a worker and waits for the result. `resultOf` is called for each message and returns undefined
 * until the result arrives.
 * @throws Refused when the worker refuses the file, crashes or takes too long
 */
async function ask<Result>(
  worker: Worker,
  request: Request,
  logBroken: (reason: string) => void,
  resultOf: (answer: SheetAnswer, control: Control) => Result | undefined,
): Promise<Result> {
  const outcome = Promise.withResolvers<Result>()
  const limitMs = limitFor(request)
  const expire = () => outcome.reject(unreadable('The file takes too long to read. The file may be damaged.'))
  let stopTimer = () => {}
  let hasEnded = false
  const restartTimeout = () => {
    stopTimer()
    // The last batches of rows are often stored after the worker has finished.
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
  try {
    restartTimeout()
    worker.postMessage(request)
    return await outcome.promise
  } finally {
    hasEnded = true
    stopTimer()
  }
}
