import { type PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite'

const { serialize } = protocol

type PreparedStatement = { name: string; types: number[] }

/**
 * Maximum number of prepared statements. Normal use needs fewer statements.
 * At the limit, the least recently used statement is closed.
 */
const KNOWN_LIMIT = 500
const ASKED_LIMIT = 2000

/**
 * Runs queries on the embedded database and caches their prepared statements.
 * Without the cache, PGlite would prepare each query every time. Preparing a query takes twice as long as running it. A
 * Postgres server does not need this class, because its driver caches prepared statements.
 */
export class Statements {
  readonly #known = new Map<string, PreparedStatement>()
  /**
   * Queries that have run once. A query is prepared only when it runs again, because most startup queries never
   * repeat.
   */
  readonly #asked = new Set<string>()
  #named = 0

  constructor(readonly pg: PGlite) {}

  async query(text: string, values: unknown[], options: QueryOptions): Promise<Results | undefined> {
    if (options.blob) return this.pg.query(text, values, options)
    const statement = this.#find(text)
    if (!statement && !this.#isAgain(text)) return this.pg.query(text, values, options)
    return this.#execute(statement ?? (await this.#parse(text)), text, values, options)
  }

  /** Runs one or more statements without parameters. */
  async exec(text: string): Promise<Results[]> {
    return parse.parseResults(await this.#send(serialize.query(text)), this.pg.parsers)
  }

  #find(text: string): PreparedStatement | undefined {
    const statement = this.#known.get(text)
    if (!statement) return undefined
    this.#known.delete(text)
    this.#known.set(text, statement)
    return statement
  }

  #isAgain(text: string): boolean {
    if (this.#asked.delete(text)) return true
    if (this.#asked.size >= ASKED_LIMIT) this.#asked.clear()
    this.#asked.add(text)
    return false
  }

  /** Sends all messages in one call, because each call has a fixed cost. The last message must be `sync`. */
  readonly #send = (...messages: Uint8Array[]) =>
    this.pg.execProtocolStream(Buffer.concat(messages), { syncToFs: false })

  /** @throws DatabaseError when the statement is invalid */
  async #parse(text: string): Promise<PreparedStatement> {
    const name = `s${++this.#named}`
    const messages = await this.#send(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const statement = { name, types: parse.parseDescribeStatementResults(messages) }
    if (this.#known.size >= KNOWN_LIMIT) await this.#forget(this.#known.keys().next().value as string)
    this.#known.set(text, statement)
    return statement
  }

  async #forget(text: string) {
    const statement = this.#known.get(text)
    if (!statement) return
    this.#known.delete(text)
    await this.#send(serialize.close({ type: 'S', name: statement.name }), serialize.sync())
  }

  async #execute({ name, types }: PreparedStatement, text: string, values: unknown[], options: QueryOptions) {
    const encodedValues = values.map((value, at) => {
      if (value === null || value === undefined) return null
      return this.pg.serializers[types[at] as number]?.(value) ?? String(value)
    })
    let isDone = false
    try {
      const messages = await this.#send(
        serialize.bind({ statement: name, values: encodedValues }),
        serialize.describe({ type: 'P' }),
        serialize.execute({}),
        serialize.sync(),
      )
      isDone = true
      return parse.parseResults(messages, this.pg.parsers, options)[0]
    } finally {
      // If the execution failed, discard the statement, because a table may have changed since it was prepared.
      if (!isDone) await this.#forget(text)
    }
  }
}
