import { Refused } from '../../refusals'

/** Maximum number of characters in a cell. Excel has the same limit. */
export const CELL_LIMIT = 32_767

export const tooLong = () =>
  Refused.field('file', `A cell holds more than ${CELL_LIMIT.toLocaleString('en-US')} characters`)

/** Decodes Excel's escapes for characters that XML cannot hold, such as `_x000D_`. */
export const unescapeExcel = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Collects the text of an .xlsx cell from its `t` elements. Leaves out East Asian phonetic guides (`rPh` elements). */
export class TextCollector {
  #text = ''
  #isOpen = false
  #isAid = false

  open(name: string) {
    if (name === 'rPh') this.#isAid = true
    if (name === 't') this.#isOpen = true
  }

  close(name: string) {
    if (name === 'rPh') this.#isAid = false
    if (name === 't') this.#isOpen = false
  }

  add(piece: string) {
    if (!this.#isOpen || this.#isAid) return
    this.#text += piece
    if (this.#text.length > CELL_LIMIT) throw tooLong()
  }

  take(): string {
    const text = unescapeExcel(this.#text)
    this.#text = ''
    return text
  }
}
