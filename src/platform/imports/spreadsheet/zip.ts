import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import { Refused } from '../../refusals'

/** An opened workbook file. The keys of `entries` are names of the parts in the zip file, in lowercase. */
export type Parts = { file: ZipFile; entries: Map<string, Entry> }

const refuse = (message: string) => Refused.field('file', message)

const ENTRY_LIMIT = 2000

const refusal = (error: unknown) => (error instanceof Refused ? error : refuse('The workbook is damaged'))

/**
 * Options for the zip library. `decodeStrings: false` disables the check of part names, which would refuse backslashes
 * and leading slashes. Some programs write such names.
 */
const OPTIONS = { decodeStrings: false }

const nameOf = (entry: Entry) =>
  getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
    .toLowerCase()
    .replace(/^\//, '')

/** @throws Refused when the file is damaged, protected with a password or has too many parts */
export async function openZip(bytes: Uint8Array): Promise<Parts> {
  const entries = new Map<string, Entry>()
  try {
    const file = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), OPTIONS)
    for await (const entry of file.eachEntry()) {
      if (entries.size >= ENTRY_LIMIT)
        throw refuse('The workbook file has too many internal parts. Copy the rows to a new workbook.')
      if (entry.isEncrypted()) throw refuse('The workbook is protected with a password')
      entries.set(nameOf(entry), entry)
    }
    return { file, entries }
  } catch (error) {
    throw refusal(error)
  }
}

/**
 * Unpacks one part of a workbook in pieces. If the declared size of the part exceeds `limit` bytes, nothing is
 * unpacked. If the actual size exceeds the declared size, the zip library stops unpacking.
 * @throws Refused when the part is damaged or exceeds the limit
 */
export async function* unpack(file: ZipFile, entry: Entry, limit: number): AsyncGenerator<Uint8Array> {
  if (entry.uncompressedSize > limit) throw refuse('The workbook contains far too much data')
  try {
    yield* (await file.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw refusal(error)
  }
}
