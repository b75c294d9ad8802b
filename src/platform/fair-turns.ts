const CHECK_EVERY_MS = 1000

type Claim = { account: string | null; keys?: string[]; check?: (() => Promise<void>) | undefined }
/** `entered` is the number of turns that had started when the work entered. */
type Turn = { account: string | null; keys: string[]; entered: number; start: () => void }

/**
 * Lets accounts take turns, so that the work of one account cannot block other accounts. At most `limit` pieces of work
 * run at a time, and only one of each account. If several can start, the one comes first whose
 * account had its latest turn the longest ago. Accounts without a turn have no advantage over accounts that waited
 * before them, because new accounts could otherwise keep coming first.
 */
export class FairTurns {
  readonly #running: Turn[] = []
  readonly #waiting: Turn[] = []
  readonly #latestTurn = new Map<string | null, number>()
  #turns = 0

  constructor(readonly limit: number) {}

  /**
   * Adds a piece of work to the waiting ones.
   * @param keys work with a common key never runs at the same time
   * @returns `started`, which resolves when the work may start, and `leave`. Call `leave` when the work has ended, or
   * to stop waiting.
   */
  enter(account: string | null, keys: string[] = []): { started: Promise<void>; leave: () => void } {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const turn = { account, keys, entered: this.#turns, start }
    this.#waiting.push(turn)
    this.#startNext()
    const leave = () => {
      for (const turns of [this.#running, this.#waiting]) if (turns.includes(turn)) turns.splice(turns.indexOf(turn), 1)
      if (![...this.#running, ...this.#waiting].some((other) => other.account === account))
        this.#latestTurn.delete(account)
      this.#startNext()
    }
    return { started, leave }
  }

  /**
   * Runs work when the account has a turn. While the work waits, calls `check` every second. An error of `check` ends
   * the wait.
   */
  async run<Result>({ account, keys, check = async () => {} }: Claim, work: () => Promise<Result>): Promise<Result> {
    const { started, leave } = this.enter(account, keys)
    try {
      const isStarted = started.then(() => true)
      while (!(await Promise.race([isStarted, Bun.sleep(CHECK_EVERY_MS).then(() => false)]))) await check()
      return await work()
    } finally {
      leave()
    }
  }

  /** Number of pieces of work of an account that wait. */
  waiting(account: string | null): number {
    return this.#waiting.filter((turn) => turn.account === account).length
  }

  #startNext() {
    const canStart = (turn: Turn) =>
      this.#running.every(
        ({ account, keys }) => account !== turn.account && !keys.some((key) => turn.keys.includes(key)),
      )
    const rankOf = ({ account, entered }: Turn) => Math.max(entered, (this.#latestTurn.get(account) ?? -1) + 1)
    while (this.#running.length < this.limit) {
      const [next] = this.#waiting.filter(canStart).sort((a, b) => rankOf(a) - rankOf(b))
      if (!next) return
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#latestTurn.set(next.account, ++this.#turns)
      this.#running.push(next)
      next.start()
    }
  }
}
