import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { Refused } from '../../refusals'

/** Attributes of an XML tag by name. The names include the namespace prefix. */
export type Attributes = Record<string, string>

/** Callbacks of an XML scanner. Tag names have no namespace prefix. */
export type XmlEvents = {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** Receives a decoded piece of text. A long text arrives in several pieces. */
  text(piece: string): void
}

const damaged = () => Refused.field('file', 'The workbook is damaged')

/** Maximum length of an XML tag, in characters. A longer tag means that the file is corrupt or malicious. */
const TAG_LIMIT = 100_000

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Scans XML piece by piece. Uses only the tokenizer of the library. The library's parser stores all open tags, so deep
 * nesting would need a lot of memory. Document types are refused, so that entities cannot be declared, expanded or
 * fetched.
 */
export class XmlScanner implements TokenizerCallbacks {
  readonly #tokenizer = new Tokenizer({ xmlMode: true }, this)
  /**
   * Received XML that has not yet been passed on as events. `#start` is the tokenizer position of the first character
   * in `#text`.
   */
  #text = ''
  #start = 0
  /** Tokenizer position after the last XML event that was passed on. */
  #told = 0
  #name = ''
  #attributes: Attributes = {}
  #attribute = ''

  constructor(readonly on: XmlEvents) {}

  /** @throws Refused when an XML tag is too long or a document type is declared */
  push(piece: string) {
    this.#text = this.#text.slice(this.#told - this.#start) + piece
    this.#start = this.#told
    this.#tokenizer.write(piece)
    if (this.#start + this.#text.length - this.#told > TAG_LIMIT) throw damaged()
  }

  #slice(from: number, to: number): string {
    return this.#text.slice(from - this.#start, to - this.#start)
  }

  onopentagname(from: number, to: number) {
    this.#name = withoutPrefix(this.#slice(from, to))
    this.#attributes = {}
  }

  onattribname(from: number, to: number) {
    this.#attribute = this.#slice(from, to)
    this.#attributes[this.#attribute] = ''
  }

  onattribdata(from: number, to: number) {
    this.#attributes[this.#attribute] += this.#slice(from, to)
  }

  onattribentity(code: number) {
    this.#attributes[this.#attribute] += String.fromCodePoint(code)
  }

  onattribend() {}

  onopentagend(end: number) {
    this.#told = end
    this.on.open(this.#name, this.#attributes)
  }

  onselfclosingtag(end: number) {
    this.onopentagend(end)
    this.on.close(this.#name)
  }

  onclosetag(from: number, to: number) {
    this.#told = to
    this.on.close(withoutPrefix(this.#slice(from, to)))
  }

  ontext(from: number, to: number) {
    this.#told = to
    this.on.text(this.#slice(from, to))
  }

  ontextentity(code: number, end: number) {
    this.#told = end
    this.on.text(String.fromCodePoint(code))
  }

  oncdata(from: number, to: number, endLength: number) {
    this.#told = to
    this.on.text(this.#slice(from, to - endLength))
  }

  ondeclaration() {
    throw damaged()
  }

  oncomment(_: number, to: number) {
    this.#told = to
  }

  onprocessinginstruction(_: number, to: number) {
    this.#told = to
  }

  onend() {}
}
