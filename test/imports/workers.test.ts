import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as XLSX from 'xlsx'
import { readTable, validateFile } from '../../src/platform/imports/parse/run-worker'
import { testContext } from '../support/context'

const BuiltInWorker = globalThis.Worker
let started = 0
beforeAll(async () => {
  // Registers the worker's path.
  await testContext()
  globalThis.Worker = class extends BuiltInWorker {
    constructor(...args: ConstructorParameters<typeof BuiltInWorker>) {
      super(...args)
      started++
    }
  }
})
afterAll(() => {
  globalThis.Worker = BuiltInWorker
})

const CSV = new TextEncoder().encode('Unit,Amount\n100001,35\n')
const LARGE = new TextEncoder().encode(`Unit,Amount\n100001,35\n${'\n'.repeat(1024 * 1024)}`)
const book = XLSX.utils.book_new()
XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['Unit'], [100001]]), 'Units')
const XLS = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'biff8' }))

/** Reads a file and returns the number of workers that were started for it. */
async function startsFor(fileName: string, bytes: Uint8Array): Promise<number> {
  const before = started
  const limits = { rows: 10, bytes: 8 * 1024 * 1024 }
  await readTable({ bytes, fileName, headings: [[/unit/i]], sheet: null, limits }, 'ben', () => {}).catch(() => {})
  return started - before
}

describe('a worker that reads files', () => {
  test('is used again for the next file', async () => {
    await startsFor('first.csv', CSV)
    expect([await startsFor('second.csv', CSV), await startsFor('third.csv', CSV)]).toEqual([0, 0])
  })

  test.each([
    ['an .xls file', 'old.xls', XLS],
    ['a file of more than 1 MB', 'large.csv', LARGE],
    ['a file that it refused', 'broken.xlsx', new Uint8Array([0x50, 0x4b, 3, 4])],
  ])('ends after %s', async (_, fileName, bytes) => {
    await startsFor('first.csv', CSV)
    expect([await startsFor(fileName, bytes), await startsFor('next.csv', CSV)]).toEqual([0, 1])
  })
})

test('a file that takes too long to read is refused', async () => {
  await startsFor('old.xls', XLS)
  const CountingWorker = globalThis.Worker
  const endless = URL.createObjectURL(new Blob(['onmessage = () => { for (;;); }'], { type: 'text/javascript' }))
  globalThis.Worker = class extends BuiltInWorker {
    constructor() {
      super(endless)
    }
  }
  const request = { bytes: XLS, fileName: 'a.xls', headings: [], sheet: null, limits: { rows: 10, bytes: 1000 } }
  const message = await readTable(request, 'ben', () => {}).catch((error) => error.message)
  globalThis.Worker = CountingWorker
  expect(message).toBe('The file takes too long to read. The file may be damaged.')
})

test('an account with several files does not keep another account waiting', async () => {
  const order: string[] = []
  const firstStart = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const read = (account: string, name: string, wait?: Promise<void>) =>
    validateFile(
      {
        account,
        load: async () => {
          order.push(name)
          if (name === 'first') firstStart.resolve()
          await wait
          throw new Error('is not read further')
        },
      },
      async () => {},
      () => {},
    ).catch(() => {})
  const first = read('ben', 'first', release.promise)
  await firstStart.promise
  const others = [read('ben', 'second'), read('ben', 'third'), read('ada', 'of ada')]
  await others[2]
  expect(order).toEqual(['first', 'of ada'])
  release.resolve()
  await Promise.all([first, ...others])
  expect(order).toEqual(['first', 'of ada', 'second', 'third'])
})

describe('small tables', () => {
  const limits = { rows: 10, bytes: 8 * 1024 * 1024 }
  const request = (fileName: string, bytes: Uint8Array) => ({
    bytes,
    fileName,
    headings: [[/unit/i]],
    sheet: null,
    limits,
  })
  const endless = () => Bun.file(join(import.meta.dir, 'fixtures', 'endless.xls')).bytes()

  test('of an account do not keep another account waiting, whatever the files are named', async () => {
    const bytes = await endless()
    const order: string[] = []
    const read = (account: string, name: string, content: Uint8Array) =>
      readTable(request(name, content), account, () => {}).then(
        () => order.push(account),
        () => order.push(account),
      )
    const all = Array.from({ length: 2 }, () => read('ben', 'endless.xlsx', bytes))
    await Promise.all([...all, read('ada', 'good.csv', CSV)])
    expect(order).toEqual(['ben', 'ada', 'ben'])
  }, 600_000)

  test('of an account are refused when too many wait', async () => {
    const bytes = await endless()
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => readTable(request(`${n}.csv`, n === 0 ? bytes : CSV), 'ben', () => {})),
    )
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  }, 600_000)
})
