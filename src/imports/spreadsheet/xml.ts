import { Refused } from '../../refusals'

/** What a scanner tells of: names come without their namespace prefix, attributes as they stand in the tag. */
export type XmlEvents = {
  open(name: string, attributes: string): void
  close(name: string): void
  /** A piece of the text between two tags, decoded; long text comes in several pieces. */
  text(piece: string): void
}

const damaged = () => Refused.field('file', 'The workbook is damaged')

/** No tag of a workbook comes near this; a longer one is an attack or rubbish. In characters. */
const TAG_LIMIT = 100_000

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Resolves the five named entities and numbered characters; declared ones do not exist here. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name) return ENTITIES[name] ?? whole
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

/** The value of an attribute, or undefined; `attributes` is what follows a tag's name. */
export function attribute(attributes: string, name: string): string | undefined {
  const plain = attributes.indexOf(` ${name}="`)
  if (plain >= 0) {
    const from = plain + name.length + 3
    return unescapeXml(attributes.slice(from, attributes.indexOf('"', from)))
  }
  if (!/['\s]\s*\S+\s*=|'/.test(attributes)) return undefined
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return match ? unescapeXml(match[1] ?? match[2] ?? '') : undefined
}

/**
 * Reads XML piece by piece without building a tree: what a workbook's parts need and no more. Document types are
 * refused, so nothing can be declared, expanded or fetched, and nesting costs nothing.
 */
export class XmlScanner {
  #rest = ''

  constructor(readonly on: XmlEvents) {}

  /** @throws Refused when this is no XML of a workbook */
  push(piece: string) {
    const text = this.#rest + piece
    let at = 0
    while (at < text.length) {
      const open = text.indexOf('<', at)
      const textEnd = open < 0 ? endOfWholeText(text, at) : open
      if (textEnd > at) this.on.text(unescapeXml(text.slice(at, textEnd)))
      at = textEnd
      if (open < 0) break
      const end = this.#tag(text, open)
      if (end < 0) break
      at = end
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > TAG_LIMIT) throw damaged()
  }

  /** Tells of the tag that begins at `open`. @returns where it ends, or -1 when the rest of it is still to come */
  #tag(text: string, open: number): number {
    const kind = text.charCodeAt(open + 1)
    if (kind === 33 /* ! */ || kind === 63 /* ? */) return this.#special(text, open)
    const end = endOfTag(text, open)
    if (end < 0) return -1
    const isClosing = kind === 47 /* / */
    const isEmpty = text.charCodeAt(end - 1) === 47
    const inside = text.slice(isClosing ? open + 2 : open + 1, isEmpty ? end - 1 : end)
    const nameEnd = inside.search(/\s/)
    const fullName = nameEnd < 0 ? inside : inside.slice(0, nameEnd)
    const name = fullName.slice(fullName.indexOf(':') + 1)
    if (!isClosing) this.on.open(name, nameEnd < 0 ? '' : inside.slice(nameEnd))
    if (isClosing || isEmpty) this.on.close(name)
    return end + 1
  }

  #special(text: string, open: number): number {
    if (text.startsWith('<![CDATA[', open)) {
      const end = text.indexOf(']]>', open)
      if (end >= 0) this.on.text(text.slice(open + 9, end))
      return end < 0 ? -1 : end + 3
    }
    if (text.startsWith('<!--', open)) {
      const end = text.indexOf('-->', open + 4)
      return end < 0 ? -1 : end + 3
    }
    if (text.startsWith('<?', open)) {
      const end = text.indexOf('?>', open)
      return end < 0 ? -1 : end + 2
    }
    if (text.length - open < 9) return -1
    throw damaged()
  }
}

/** Text up to here is whole; an entity whose end is still to come is left for later. */
function endOfWholeText(text: string, from: number): number {
  const entity = text.lastIndexOf('&')
  return entity >= from && text.length - entity < 12 && !text.includes(';', entity) ? entity : text.length
}

/** Where the tag's `>` is; one within quotes does not count. */
function endOfTag(text: string, open: number): number {
  let end = text.indexOf('>', open)
  while (end >= 0 && isWithinQuotes(text, open, end)) end = text.indexOf('>', end + 1)
  return end
}

function isWithinQuotes(text: string, open: number, end: number): boolean {
  let quote = 0
  for (let at = open; at < end; at++) {
    const char = text.charCodeAt(at)
    if (quote) quote = char === quote ? 0 : quote
    else if (char === 34 || char === 39) quote = char
  }
  return quote !== 0
}
