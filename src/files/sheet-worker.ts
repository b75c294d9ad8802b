import type { DataType } from '../../db/vocabulary'
import { type FieldError, Refused } from '../refusals'
import { type Judged, judge } from './judge'
import { readSheet } from './read-sheet'
import type { Names } from './row-rules'

/** Reads and judges one file away from the server's thread, which goes on answering meanwhile. */
export type SheetRequest = { bytes: Uint8Array; fileName: string; dataType: DataType; names: Names }
export type SheetAnswer = { judged: Judged } | { refused: FieldError[] } | { broken: string }

function work({ bytes, fileName, dataType, names }: SheetRequest): SheetAnswer {
  try {
    return { judged: judge(readSheet(bytes, fileName), dataType, names) }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.errors ?? [] }
    return { broken: error instanceof Error ? error.message : String(error) }
  }
}

self.onmessage = (event: MessageEvent<SheetRequest>) => {
  self.postMessage(work(event.data))
}
