import { ReadableStream, TextEncoderStream } from 'node:stream/web'

/** Adds a file to a zip archive. The file's text is read only as fast as the client reads the archive. */
export type AddPart = (name: string, text: Iterable<string> | AsyncIterable<string>) => Promise<unknown>

const OPTIONS = {
  // Without web workers, the zip library uses native compression, which does not block the main thread.
  useWebWorkers: false,
  // Excel reports a zip file as damaged if it has 8-byte sizes where 4 bytes suffice.
  zip64: false,
  // All parts of a workbook get the earliest date that a zip file can store. Workbooks with equal content are then
  // identical.
  lastModDate: new Date(1980, 0, 1),
  extendedTimestamp: false,
}

/**
 * Maximum number of archives that are written at a time. The zip library's default is the number of processor cores, so
 * that a few clients that do not read their download would block all other exports.
 */
const MAX_ARCHIVES = 1_000_000

export async function* zipStream(write: (add: AddPart) => Promise<void>): AsyncGenerator<Uint8Array> {
  const { configure, ZipWriter } = await import('@zip.js/zip.js/lib/zip-core-native.js')
  configure({ maxWorkers: MAX_ARCHIVES })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const zip = new ZipWriter(writable, OPTIONS)
  const add: AddPart = (name, text) =>
    zip.add(name, ReadableStream.from(text).pipeThrough(new TextEncoderStream()) as never)
  write(add)
    .then(() => zip.close())
    .catch((error) => writable.abort(error))
  yield* readable
}
