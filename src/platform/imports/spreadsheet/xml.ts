import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { Refused } from '../../refusals'

/** The attributes of a tag by their full names. */
export type Attributes = Record<string, string>

/** What a scanner tells of: names of tags come without their namespace prefix. */
export type XmlEvents = {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** A piece of the text between two tags, decoded; long text comes in several pieces. */
  text(piece: string): void
}

const damaged = () => Refused.field('file', 'The workbook is damaged')

/** No tag of a workbook comes near this; a longer one is an attack or rubbish. In characters. */
const TAG_LIMIT = 100_000

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reads XML piece by piece. It stands on the library's tokenizer and not on its parser, which keeps a list of the open
 * tags: here nesting costs nothing. Document types are refused, so nothing can be declared, expanded or fetched.
 */
export class XmlScanner implements TokenizerCallbacks {
  readonly #tokenizer = new Tokenizer({ xmlMode: true }, this)
  /** The text that the tokenizer's positions are in, from the beginning of what is still unfinished. */
  #text = ''
  #start = 0
  /** Up to where everything has been told. */
  #told = 0
  #name = ''
  #attributes: Attributes = {}
  #attribute = ''

  constructor(readonly on: XmlEvents) {}

  /** @throws Refused when this is no XML of a workbook */
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
