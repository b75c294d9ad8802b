import { expect, test } from 'bun:test'
import Papa from 'papaparse'
import * as XLSX from 'xlsx'
import { testContext } from '../support/context'
import type { Visitor } from '../support/visitor'

/**
 * Fleet, surplus, tow-yard and auction lists in the shapes that public bodies and companies publish.
 * Their values and unit numbers are invented. The tests check the header row, the columns, and the outcome of each row
 * after a user has answered the questions.
 */
type List = {
  name: string
  data_type: string
  format?: 'xlsx' | 'xls'
  delimiter?: string
  has_mark?: boolean
  lines: (string | number)[][]
  /** `columns` maps headings, or positions of columns without one, to fields. `null` leaves a column out. */
  answers?: { header_row?: number; columns?: Record<string, string | null>; defaults?: Record<string, string> }
  found: { refused: string } | { header_row: number; fields: Record<string, string>; message?: string }
  /** Row number, outcome and reason of each row, or the fields that are still missing. */
  rows?: string[]
}

const LISTS: List[] = (await Bun.file(`${import.meta.dir}/fixtures/public-lists.jsonl`).text())
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))

function fileOf({ format, delimiter = ',', has_mark, lines }: List): string | Uint8Array {
  if (format !== 'xlsx') return `${has_mark ? '\ufeff' : ''}${Papa.unparse(lines, { delimiter })}`
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(lines), 'Sheet1')
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
}

type Read = Awaited<ReturnType<Visitor['settled']>> & { found: { header: string[]; header_row: number } }
const settled = async (clerk: Visitor, id: number) => (await clerk.settled(id)) as Read

const foundIn = ({ status, message, found }: Read) =>
  status === 'refused'
    ? { refused: message }
    : {
        header_row: found.header_row,
        fields: Object.fromEntries(
          found.header.flatMap((heading, at) => (found.fields[at] ? [[heading, found.fields[at]]] : [])),
        ),
        ...(found.missing.length ? { message } : {}),
      }

async function answer(clerk: Visitor, id: number, read: Read, { header_row, columns = {}, defaults = {} }: Answers) {
  if (header_row !== undefined) {
    expect((await clerk.put(`/files/${id}`, { header_row })).status).toBe(200)
    read = await settled(clerk, id)
  }
  const fields = read.found.header.map((heading, at) => {
    const chosen = heading.trim() in columns ? columns[heading.trim()] : columns[String(at)]
    return chosen === undefined ? (read.found.fields[at] ?? null) : chosen
  })
  expect((await clerk.put(`/files/${id}`, { fields, defaults })).status).toBe(200)
  return settled(clerk, id)
}
type Answers = NonNullable<List['answers']>

async function begin(clerk: Visitor, list: List) {
  const { id } = await clerk.begin(list.data_type, `${list.name}.${list.format ?? 'csv'}`, fileOf(list))
  const read = await settled(clerk, id)
  expect({ [list.name]: foundIn(read) } as object).toEqual({ [list.name]: list.found })
  return { list, id, read }
}

async function finish(clerk: Visitor, { list, id, read }: Awaited<ReturnType<typeof begin>>) {
  if (!list.answers) return
  const end = await answer(clerk, id, read, list.answers)
  const { data, meta } = (await clerk.get(`/files/${id}/rows?per_page=100`)).body as unknown as {
    data: { row: number; outcome: string; message: string | null }[]
    meta: { total: number }
  }
  const rows = data.map(({ row, outcome, message }) => `${row} ${outcome}${message ? `: ${message}` : ''}`)
  expect({ [list.name]: rows }).toEqual({ [list.name]: list.rows as string[] })
  // No row is lost.
  const counted = end.imported + end.failed + end.duplicates
  expect([list.name, meta.total, counted]).toEqual([list.name, end.row_count, end.row_count])
}

async function eachOf<In, Out>(all: In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))))
  return done
}
const AT_ONCE = 4

test('published lists are imported or rejected with a reason', async () => {
  const { ben } = (await testContext()).cast
  expect(LISTS.length).toBeGreaterThan(30)
  // Reads all lists before it answers any question, because answers are remembered.
  const startedImports = await eachOf(LISTS, (list) => begin(ben, list))
  await eachOf(startedImports, (one) => finish(ben, one))
}, 600_000)
