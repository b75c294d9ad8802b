import { Refused } from '../refusals'
import type { Judged } from './judge'
import type { SheetAnswer, SheetRequest } from './sheet-worker'

// In the binary this module is part of the main bundle, so the address starts at the bundle's root.
const workerUrl = new URL(Bun.isStandaloneExecutable ? './src/files/sheet-worker.js' : './sheet-worker.ts', import.meta.url).href

const READING_LIMIT_MS = 20_000

const unreadable = (message: string) => Refused.field('file', message)

/**
 * Reads and judges a file in a worker of its own, which is ended afterwards with all the memory that it took.
 * @throws Refused when the file cannot be read, lacks a column, or takes too long
 */
export async function judgeFile(request: SheetRequest): Promise<Judged> {
  const worker = new Worker(workerUrl)
  try {
    const answer = await new Promise<SheetAnswer>((resolve, reject) => {
      const limit = setTimeout(() => reject(unreadable('The file takes too long to read; split it')), READING_LIMIT_MS)
      worker.onmessage = (event: MessageEvent<SheetAnswer>) => {
        clearTimeout(limit)
        resolve(event.data)
      }
      worker.onerror = (event) => {
        clearTimeout(limit)
        event.preventDefault()
        reject(unreadable('The file could not be read'))
      }
      worker.postMessage(request)
    })
    if ('judged' in answer) return answer.judged
    if ('refused' in answer) throw new Refused(answer.refused)
    console.warn(JSON.stringify({ level: 'warn', message: 'a file could not be read', reason: answer.broken }))
    throw unreadable('The file could not be read; is it damaged?')
  } finally {
    worker.terminate()
  }
}
