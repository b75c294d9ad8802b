import { ReadableStream, TextEncoderStream } from 'node:stream/web'

/** Adds a file to a zip archive. The file's content is read only as fast as the client reads the archive. */
export type AddPart = (name: string, content: Iterable<string> | AsyncIterable<string> | Uint8Array) => Promise<unknown>

const OPTIONS = {
  // Without web workers, the zip library uses native compression, which does not block the main thread.
  useWebWorkers: false,
  // All parts of a workbook get the earliest date that a zip file can store. Workbooks with equal content are then
  // identical.
  lastModDate: new Date(1980, 0, 1),
  extendedTimestamp: false,
}

/**
 * Maximum number of archives that are written at a time. It is so high that it has no effect. The zip library's default
 * is the number of processor cores. With that default, a few clients that do not read their download would block all
 * other exports.
 */
const MAX_ARCHIVES = 1_000_000

const streamOf = (content: Parameters<AddPart>[1]) =>
  content instanceof Uint8Array
    ? ReadableStream.from([content])
    : ReadableStream.from(content).pipeThrough(new TextEncoderStream())

/**
 * Streams a zip archive.
 * @param isLarge true for archives that can exceed 4 GB. Must be false for workbooks, because Excel reports a workbook
 * with 8-byte sizes as damaged.
 */
export async function* zipStream(
  write: (add: AddPart) => Promise<void>,
  { isLarge }: { isLarge: boolean } = { isLarge: false },
): AsyncGenerator<Uint8Array> {
  const { configure, ZipWriter } = await import('@zip.js/zip.js/lib/zip-core-native.js')
  configure({ maxWorkers: MAX_ARCHIVES })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const zip = new ZipWriter(writable, { ...OPTIONS, zip64: isLarge })
  write((name, content) => zip.add(name, streamOf(content) as never))
    .then(() => zip.close())
    .catch((error) => writable.abort(error))
  yield* readable
}
