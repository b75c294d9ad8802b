import { type PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite'

const { serialize } = protocol

/** A statement that the database has parsed: what it is called there, and the types of its parameters. */
type Known = { name: string; types: number[] }

/** More texts than the program asks again and again; beyond it the one that was asked longest ago goes. */
const KNOWN_LIMIT = 500
const ASKED_LIMIT = 2000

/**
 * Asks an open database, and lets it parse and plan only once what is asked again and again: a driver of a server does
 * so by itself, PGlite begins anew each time, which takes twice as long as the rest.
 */
export class Statements {
  readonly #known = new Map<string, Known>()
  /** Asked once so far: most of what is asked at a start never comes again. */
  readonly #asked = new Set<string>()
  #named = 0

  constructor(readonly pg: PGlite) {}

  async query(text: string, values: unknown[], options: QueryOptions): Promise<Results | undefined> {
    if (options.blob) return this.pg.query(text, values, options)
    const known = this.#find(text)
    if (!known && !this.#isAgain(text)) return this.pg.query(text, values, options)
    return this.#execute(known ?? (await this.#parse(text)), text, values, options)
  }

  /** The one that is asked now is the last to go. */
  #find(text: string): Known | undefined {
    const known = this.#known.get(text)
    if (!known) return undefined
    this.#known.delete(text)
    this.#known.set(text, known)
    return known
  }

  #isAgain(text: string): boolean {
    if (this.#asked.delete(text)) return true
    if (this.#asked.size >= ASKED_LIMIT) this.#asked.clear()
    this.#asked.add(text)
    return false
  }

  readonly #send = (message: Uint8Array) => this.pg.execProtocolStream(message, { syncToFs: false })

  /** @throws DatabaseError */
  async #parse(text: string): Promise<Known> {
    const known: Known = { name: `s${++this.#named}`, types: [] }
    try {
      await this.#send(serialize.parse({ name: known.name, text }))
      known.types = parse.parseDescribeStatementResults(
        await this.#send(serialize.describe({ type: 'S', name: known.name })),
      )
    } finally {
      await this.#send(serialize.sync())
    }
    if (this.#known.size >= KNOWN_LIMIT) await this.#forget(this.#known.keys().next().value as string)
    this.#known.set(text, known)
    return known
  }

  async #forget(text: string) {
    const known = this.#known.get(text)
    if (!known) return
    this.#known.delete(text)
    await this.#send(serialize.close({ type: 'S', name: known.name }))
    await this.#send(serialize.sync())
  }

  async #execute({ name, types }: Known, text: string, values: unknown[], options: QueryOptions) {
    const typed = values.map((value, at) => {
      if (value === null || value === undefined) return null
      return this.pg.serializers[types[at] as number]?.(value) ?? String(value)
    })
    let isDone = false
    try {
      const messages = [
        ...(await this.#send(serialize.bind({ statement: name, values: typed }))),
        ...(await this.#send(serialize.describe({ type: 'P' }))),
        ...(await this.#send(serialize.execute({}))),
      ]
      isDone = true
      return parse.parseResults(messages, this.pg.parsers, options)[0]
    } finally {
      await this.#send(serialize.sync())
      // What it refers to may be another by now; the next one parses it anew.
      if (!isDone) await this.#forget(text)
    }
  }
}
