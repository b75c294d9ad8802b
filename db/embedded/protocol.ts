/** `blob` is the input for a statement with `copy … from '/dev/blob'`. */
export type QueryOptions = { rowMode?: 'array' | 'object'; blob?: Uint8Array }

export type Command =
  | { kind: 'open'; folder: string | undefined }
  | { kind: 'query'; sql: string; params?: unknown[]; options?: QueryOptions }
  | { kind: 'exec'; sql: string }
  | { kind: 'fsyncs' }
  | { kind: 'close' }

export type Request = Command & { id: number }

export type WorkerResponse = { id: number; result: unknown } | { id: number; error: Record<string, string> }
