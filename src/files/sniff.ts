import { inflateRawSync } from 'node:zlib'
import { Refused } from '../refusals'

export type FileKind = 'xlsx' | 'xls' | 'csv'

const refuse = (message: string) => Refused.field('file', message)

const INFLATED_LIMIT = 300 * 1024 * 1024
const ENTRY_LIMIT = 2000

/** What a file is, judged by its content; its name must not claim something else. @throws Refused */
export function sniff(bytes: Uint8Array, fileName: string): FileKind {
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  if (!['xls', 'xlsx', 'csv'].includes(extension)) throw refuse('Only .xls, .xlsx and .csv files are accepted')
  if (bytes.length === 0) throw refuse('The file is empty')
  const starts = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte)
  const isZip = starts(0x50, 0x4b, 0x03, 0x04)
  const isOle = starts(0xd0, 0xcf, 0x11, 0xe0)
  if (extension === 'csv') {
    if (isZip || isOle) throw refuse('The file is named .csv but holds a workbook; save it again or rename it')
    return 'csv'
  }
  if (isZip) {
    checkZip(bytes)
    return 'xlsx'
  }
  if (isOle) return 'xls'
  throw refuse(`The file is named .${extension} but is not an Excel workbook`)
}

/**
 * Inflates every entry of a zip under one cap before anything else reads it: a bomb is refused here, however small it
 * looks. @throws Refused
 */
function checkZip(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  let entries = 0
  let inflated = 0
  let at = view.getUint32(end + 16, true)
  while (at + 46 <= view.byteLength && view.getUint32(at, true) === 0x02014b50) {
    if (++entries > ENTRY_LIMIT) throw refuse('The workbook has too many parts')
    if (view.getUint16(at + 8, true) & 1) throw refuse('The workbook is protected with a password')
    const method = view.getUint16(at + 10, true)
    const size = view.getUint32(at + 20, true)
    const header = view.getUint32(at + 42, true)
    const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true)
    inflated += inflatedSize(bytes.subarray(start, start + size), method, INFLATED_LIMIT - inflated)
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  if (entries === 0) throw refuse('The workbook is damaged')
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at--) {
    if (view.getUint32(at, true) === 0x06054b50) return at
  }
  throw refuse('The workbook is damaged')
}

function inflatedSize(part: Uint8Array, method: number, limit: number): number {
  if (method === 0) return part.length
  if (method !== 8) throw refuse('The workbook is packed in a way that cannot be read')
  try {
    return inflateRawSync(part, { maxOutputLength: Math.max(1, limit) }).length
  } catch (error) {
    const isTooLarge = error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw refuse(isTooLarge ? 'The workbook unpacks to far too much data' : 'The workbook is damaged')
  }
}
