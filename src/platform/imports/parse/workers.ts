import { FairTurns } from '../../fair-turns'
import { kinds } from '../../kinds'
import { sniff } from '../spreadsheet/sniff'
import type { SheetRequest, TableRequest } from './worker-messages'

export type Request = SheetRequest | TableRequest

/**
 * A file that waits for a worker. It is loaded only when a worker is free, because files can be large. `check` is
 * called every second during the wait. Its errors end the wait. `signal` ends the reading, with its reason as the
 * error.
 */
export type Waiting<Loaded> = {
  account: string | null
  load: () => Promise<Loaded>
  check?: () => Promise<void>
  signal?: AbortSignal
}

/** True if the content of a file is in .xls format. The name can still end with .xlsx. */
export function isXls({ bytes, fileName }: Request): boolean {
  try {
    return sniff(bytes, fileName) === 'xls'
  } catch {
    return false
  }
}

const IDLE_LIMIT_MS = 30_000

/**
 * Maximum file size in bytes. After a larger file, the worker is terminated to free its memory. After other files, it
 * is reused, which saves the startup time of about 0.4 s.
 */
const REUSE_LIMIT = 1024 * 1024

/**
 * True if the worker can be reused after this file. A worker is not reused after an .xls file, because a malicious .xls
 * file could change the state of the spreadsheet library.
 */
const isHarmless = (request: Request) => request.bytes.length <= REUSE_LIMIT && !isXls(request)

/**
 * Limits how many files are read at the same time. Each file needs a worker with its own thread and memory. An account
 * uses one worker at a time.
 */
export class Workers {
  readonly #turns: FairTurns
  #idle: { worker: Worker; end: Timer } | undefined

  constructor(limit: number) {
    this.#turns = new FairTurns(limit)
  }

  /**
   * Runs `work` with a worker and the loaded file. Waits until a worker is free and the account uses no other worker.
   */
  run<Loaded extends Request, Result>(
    { account, load, check }: Waiting<Loaded>,
    work: (worker: Worker, request: Loaded) => Promise<Result>,
  ): Promise<Result> {
    return this.#turns.run({ account, check }, async () => {
      let worker: Worker | undefined
      try {
        const request = await load()
        worker = this.#start()
        const result = await work(worker, request)
        if (isHarmless(request)) this.#keep(worker)
        return result
      } finally {
        if (worker && this.#idle?.worker !== worker) worker.terminate()
      }
    })
  }

  /** Number of files of an account that wait for a worker. */
  waiting(account: string | null): number {
    return this.#turns.waiting(account)
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
    worker.addEventListener('close', () => {
      if (this.#idle?.worker === worker) this.#idle = undefined
    })
  }
}
