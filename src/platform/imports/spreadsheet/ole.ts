/**
 * Reader of OLE containers, the outer format of .xls files ([MS-CFB]). The spreadsheet library has a reader, too, but
 * its memory is not limited by the size of the file: a small file can name the same sectors thousands of times.
 */

const HEADER_SIZE = 512
const ENTRY_SIZE = 128
const MINI_SECTOR_SIZE = 64
/** Smaller streams are stored in the mini stream. */
const MINI_STREAM_LIMIT = 4096
/** Sector numbers from this one on are marks, such as the end of a chain. */
const FIRST_MARK = 0xfffffffa
const HEADER_FAT_ENTRIES = 109
const STREAM = 2

type Entry = { name: string; type: number; left: number; right: number; child: number; start: number; size: number }

const damaged = () => new Error('The OLE container is damaged')

/** The streams of the root folder. Streams of embedded documents are not included. */
export class OleContainer {
  readonly #view: DataView
  readonly #sectorSize: number
  readonly #sectorCount: number
  /** Offsets of the sectors of the file allocation table (FAT). */
  readonly #fat: number[]
  readonly #miniStream: Uint8Array
  readonly #miniFat: DataView
  readonly #streams: Entry[]

  /** @throws Error when the container is damaged */
  constructor(readonly bytes: Uint8Array) {
    if (bytes.length < HEADER_SIZE) throw damaged()
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const shift = this.#view.getUint16(0x1e, true)
    if (shift !== 9 && shift !== 12) throw damaged()
    this.#sectorSize = 1 << shift
    this.#sectorCount = Math.ceil(bytes.length / this.#sectorSize) - 1
    this.#fat = this.#fatSectors()
    const entries = this.#entries()
    const [root] = entries
    if (!root) throw damaged()
    this.#miniStream = this.#sectors(root.start)
    const miniFat = this.#sectors(this.#view.getUint32(0x3c, true))
    this.#miniFat = new DataView(miniFat.buffer, miniFat.byteOffset, miniFat.byteLength)
    this.#streams = siblings(entries, root.child).filter(({ type }) => type === STREAM)
  }

  has(name: string): boolean {
    return this.#find(name) !== undefined
  }

  /**
   * Returns the content of a stream, or null if there is no stream with this name.
   * @throws Error when the container is damaged
   */
  read(name: string): Uint8Array | null {
    const entry = this.#find(name)
    if (!entry) return null
    const content = entry.size < MINI_STREAM_LIMIT ? this.#miniSectors(entry.start) : this.#sectors(entry.start)
    return content.subarray(0, entry.size)
  }

  #find(name: string): Entry | undefined {
    return this.#streams.find((entry) => entry.name.toLowerCase() === name.toLowerCase())
  }

  #offsetOf(sector: number): number {
    if (sector >= this.#sectorCount) throw damaged()
    return (sector + 1) * this.#sectorSize
  }

  #numberAt(offset: number): number {
    return offset + 4 <= this.bytes.length ? this.#view.getUint32(offset, true) : FIRST_MARK
  }

  /** The header names the first sectors of the table. A chain of further sectors names the rest. */
  #fatSectors(): number[] {
    const sectors: number[] = []
    const add = (offset: number, count: number) => {
      for (let at = 0; at < count; at++) {
        const sector = this.#numberAt(offset + 4 * at)
        if (sector < FIRST_MARK) sectors.push(this.#offsetOf(sector))
      }
    }
    add(0x4c, HEADER_FAT_ENTRIES)
    const perSector = this.#sectorSize / 4 - 1
    let next = this.#view.getUint32(0x44, true)
    for (let left = this.#sectorCount; next < FIRST_MARK; left--) {
      // More sectors than the file has would mean that the chain runs in a circle.
      if (left === 0 || sectors.length > this.#sectorCount) throw damaged()
      const offset = this.#offsetOf(next)
      add(offset, perSector)
      next = this.#numberAt(offset + 4 * perSector)
    }
    return sectors
  }

  #next(sector: number): number {
    const perSector = this.#sectorSize / 4
    const offset = this.#fat[Math.floor(sector / perSector)]
    return offset === undefined ? FIRST_MARK : this.#numberAt(offset + 4 * (sector % perSector))
  }

  /** Returns the content of a chain of sectors. It is not larger than the file. */
  #sectors(start: number): Uint8Array {
    const parts: Uint8Array[] = []
    for (let sector = start; sector < FIRST_MARK; sector = this.#next(sector)) {
      if (parts.length > this.#sectorCount) throw damaged()
      const offset = this.#offsetOf(sector)
      parts.push(this.bytes.subarray(offset, offset + this.#sectorSize))
    }
    return Buffer.concat(parts)
  }

  /** Returns the content of a small stream. Small streams share the sectors of the root folder. */
  #miniSectors(start: number): Uint8Array {
    const parts: Uint8Array[] = []
    const count = Math.floor(this.#miniFat.byteLength / 4)
    for (let sector = start; sector < FIRST_MARK; sector = this.#miniFat.getUint32(4 * sector, true)) {
      const isOutside = sector * MINI_SECTOR_SIZE >= this.#miniStream.length
      if (sector >= count || isOutside || parts.length > count) throw damaged()
      parts.push(this.#miniStream.subarray(sector * MINI_SECTOR_SIZE, (sector + 1) * MINI_SECTOR_SIZE))
    }
    return Buffer.concat(parts)
  }

  #entries(): Entry[] {
    const content = this.#sectors(this.#view.getUint32(0x30, true))
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
    const decoder = new TextDecoder('utf-16le')
    return Array.from({ length: Math.floor(content.length / ENTRY_SIZE) }, (_, index): Entry => {
      const at = index * ENTRY_SIZE
      const nameLength = Math.min(64, Math.max(0, view.getUint16(at + 0x40, true) - 2))
      return {
        name: decoder.decode(content.subarray(at, at + nameLength)),
        type: view.getUint8(at + 0x42),
        left: view.getUint32(at + 0x44, true),
        right: view.getUint32(at + 0x48, true),
        child: view.getUint32(at + 0x4c, true),
        start: view.getUint32(at + 0x74, true),
        size: view.getUint32(at + 0x78, true),
      }
    })
  }
}

/** Returns the entries of a folder. They are the nodes of a binary tree, in which damaged files can have circles. */
function siblings(entries: Entry[], first: number): Entry[] {
  const found = new Set<Entry>()
  const waiting = [first]
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const entry = entries[index]
    if (!entry || found.has(entry)) continue
    found.add(entry)
    waiting.push(entry.left, entry.right)
  }
  return [...found]
}
