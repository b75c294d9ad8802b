import { ReadableStream, TextEncoderStream } from 'node:stream/web'

/** Adds a part to a zip. Its text is taken no faster than the zip is. */
export type AddPart = (name: string, text: Iterable<string> | AsyncIterable<string>) => Promise<unknown>

const OPTIONS = {
  // Packing is native and off the server's thread without them.
  useWebWorkers: false,
  // Excel calls a file damaged that has sizes of 8 bytes where 4 would do.
  zip64: false,
  // The first day that a zip can tell; files that hold the same are the same.
  lastModDate: new Date(1980, 0, 1),
  extendedTimestamp: false,
}

/** A zip that is sent as it is made. */
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
