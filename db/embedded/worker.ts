import { fsyncSync } from 'node:fs'
import { PGlite, types } from '@electric-sql/pglite'
import initdbPath from '@electric-sql/pglite/initdb.wasm' with { type: 'file' }
import { NodeFS } from '@electric-sql/pglite/nodefs'
import bundlePath from '@electric-sql/pglite/pglite.data' with { type: 'file' }
import pglitePath from '@electric-sql/pglite/pglite.wasm' with { type: 'file' }
import type { QueryOptions, Request, WorkerResponse } from './protocol'
import seedPath from './seed.tar.gz' with { type: 'file' }
import { Statements } from './statements'

declare const self: Worker

// Compile the WebAssembly modules immediately, while the main thread locks the data folder and unpacks the database
// archive.
const compile = async (path: string) => WebAssembly.compile(await Bun.file(path).arrayBuffer())
const modules = Promise.all([compile(pglitePath), compile(initdbPath)])

/**
 * File access for PGlite that calls fsync, so commits survive power failures.
 * PGlite's own file access has no fsync and leaves a commit in the page cache.
 */
class DurableNodeFS extends NodeFS {
  fsyncs = 0

  override async init(...args: Parameters<NodeFS['init']>) {
    const started = await super.init(...args)
    started.emscriptenOpts.preRun?.unshift((module: { NODEFS?: EmscriptenNodeFS }) => {
      const files = module.NODEFS
      if (!files) throw new Error('This PGlite build has no NODEFS, so writes cannot be made durable')
      files.stream_ops.fsync = (stream) => {
        // A failed fsync becomes an error number. Postgres then stops instead of acknowledging the commit.
        files.tryFSOperation(() => fsyncSync(stream.nfd))
        this.fsyncs++
        return 0
      }
    })
    return started
  }
}

type EmscriptenNodeFS = {
  stream_ops: { fsync?: (stream: { nfd: number }) => number }
  tryFSOperation<T>(action: () => T): T
}

// `wal_sync_method` must be `fsync`, because `fdatasync` does nothing in PGlite. The low `min_wal_size` limits the log
// files that remain after a checkpoint.
const durableStart = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=128MB',
]

// Copies of the parsers that Drizzle's PGlite driver passes with each query. The originals cannot be sent to a worker,
// because they are functions.
const raw = (value: string) => value
const arrays = { numeric: 1231, timestamp: 1115, timestamptz: 1185, interval: 1187, date: 1182 }
const rawTypes = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, ...Object.values(arrays)]
// PGlite itself would convert binary values byte by byte, which takes 20 s for 25 MB.
const parsers = {
  ...Object.fromEntries(rawTypes.map((type) => [type, raw])),
  [types.BYTEA]: (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), 'hex')),
}
const serializers = { [types.BYTEA]: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}` }

let pg: PGlite | undefined
let statements: Statements | undefined
let files: DurableNodeFS | undefined

async function open(folder: string | undefined): Promise<void> {
  const [pgliteWasmModule, initdbWasmModule] = await modules
  const assets = { pgliteWasmModule, initdbWasmModule, fsBundle: Bun.file(bundlePath), serializers }
  if (folder) {
    files = new DurableNodeFS(folder)
    pg = await PGlite.create({ ...assets, fs: files, startParams: durableStart })
  } else {
    const loadDataDir = new Blob([Bun.gunzipSync(await Bun.file(seedPath).bytes())])
    pg = await PGlite.create({ ...assets, loadDataDir })
  }
  // Passed with each query, the parsers would be copied twice. A copy takes 32 KB, because the keys are type ids.
  // As an option of `create`, they would be replaced by PGlite's own parsers of arrays.
  Object.assign(pg.parsers, parsers)
  statements = new Statements(pg)
}

const inWorker = ({ rowMode, blob }: QueryOptions = {}) => ({
  ...(rowMode ? { rowMode } : {}),
  ...(blob ? { blob: new Blob([blob as BlobPart]) } : {}),
})

async function handle(request: Request): Promise<unknown> {
  if (request.kind === 'open') return open(request.folder)
  if (!pg || !statements) throw new Error('The embedded database is not open')
  switch (request.kind) {
    case 'query':
      return statements.query(request.sql, request.params ?? [], inWorker(request.options))
    case 'exec':
      return statements.exec(request.sql)
    case 'fsyncs':
      return files?.fsyncs ?? 0
    case 'close':
      return pg.close()
  }
}

const errorFields = [
  'code',
  'message',
  'detail',
  'hint',
  'constraint',
  'schema',
  'table',
  'column',
  'severity',
] as const

function plainError(error: unknown): Record<string, string> {
  const source = (error ?? {}) as Record<string, unknown>
  const plain: Record<string, string> = { message: String(error) }
  for (const field of errorFields) if (typeof source[field] === 'string') plain[field] = source[field]
  return plain
}

async function answer(request: Request): Promise<WorkerResponse> {
  try {
    return { id: request.id, result: await handle(request) }
  } catch (error) {
    return { id: request.id, error: plainError(error) }
  }
}

let last: Promise<void> = Promise.resolve()
self.onmessage = (event: MessageEvent<Request>) => {
  last = last.then(async () => self.postMessage(await answer(event.data)))
}
