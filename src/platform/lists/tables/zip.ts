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

export async function* zipStream(write: (add: AddPart) => Promise<void>): AsyncGenerator<Uint8Array> {
  const { ZipWriter } = await import('@zip.js/zip.js/lib/zip-core-writer.js')
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const zip = new ZipWriter(writable, OPTIONS)
  const add: AddPart = (name, text) =>
    zip.add(name, ReadableStream.from(text).pipeThrough(new TextEncoderStream()) as never)
  write(add)
    .then(() => zip.close())
    .catch((error) => writable.abort(error))
  yield* readable
}
