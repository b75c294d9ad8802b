import { createInflateRaw } from 'node:zlib'
import { Refused } from '../../refusals'

/** One part of a zip: where its packed bytes lie, and how large it says it will be. */
export type ZipEntry = { method: number; start: number; packed: number; size: number }

const refuse = (message: string) => Refused.field('file', message)
const DAMAGED = 'The workbook is damaged'

const ENTRY_LIMIT = 2000
const STORED = 0
const DEFLATED = 8

/** The parts of a zip by their names in lower case, as its directory lists them. @throws Refused */
export function zipEntries(bytes: Uint8Array): Map<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = new Map<string, ZipEntry>()
  try {
    let at = view.getUint32(directoryEnd(view) + 16, true)
    while (at + 46 <= view.byteLength && view.getUint32(at, true) === 0x02014b50) {
      if (entries.size >= ENTRY_LIMIT) throw refuse('The workbook has too many parts')
      if (view.getUint16(at + 8, true) & 1) throw refuse('The workbook is protected with a password')
      const nameLength = view.getUint16(at + 28, true)
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)).toLowerCase()
      const header = view.getUint32(at + 42, true)
      entries.set(name.replace(/^\//, ''), {
        method: view.getUint16(at + 10, true),
        start: header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true),
        packed: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
      })
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    }
  } catch (error) {
    throw error instanceof Refused ? error : refuse(DAMAGED)
  }
  if (entries.size === 0) throw refuse(DAMAGED)
  return entries
}

function directoryEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at--) {
    if (view.getUint32(at, true) === 0x06054b50) return at
  }
  throw refuse(DAMAGED)
}

/**
 * Unpacks one part piece by piece, so that a bomb is met with little in memory; `limit` is in bytes.
 * @throws Refused when it is damaged or grows beyond the limit
 */
export async function* unpack(bytes: Uint8Array, entry: ZipEntry, limit: number): AsyncGenerator<Uint8Array> {
  const part = bytes.subarray(entry.start, entry.start + entry.packed)
  if (entry.method === STORED) {
    yield part
    return
  }
  if (entry.method !== DEFLATED) throw refuse('The workbook is packed in a way that cannot be read')
  const inflater = createInflateRaw({ chunkSize: 256 * 1024 })
  inflater.end(part)
  let unpacked = 0
  try {
    for await (const piece of inflater as AsyncIterable<Uint8Array>) {
      unpacked += piece.length
      if (unpacked > limit) throw refuse('The workbook unpacks to far too much data')
      yield piece
    }
  } catch (error) {
    throw error instanceof Refused ? error : refuse(DAMAGED)
  } finally {
    inflater.destroy()
  }
}
