import { Refusal } from '../../refusals'
import { type CsvValue, csvLines } from './csv'
import type { TableColumn, TableRow, TableValue } from './table'
import { type SheetColumn, xlsxStream } from './workbook'

const TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}
type Format = keyof typeof TYPES

export type Batches = AsyncIterable<object[]>

function valueIn(row: object, key: string): TableValue {
  const value = (row as Record<string, TableValue | boolean | undefined>)[key] ?? null
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value
}
const csvCell = (column: TableColumn, value: TableValue): CsvValue =>
  column.kind === 'money' && typeof value === 'number' ? value.toFixed(2) : value

async function* csvStream(columns: TableColumn[], batches: Batches): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  // Send the headings together with the first rows. If reading the first rows fails, nothing has been sent yet, so the
  // server can still respond with an error message.
  let headings = csvLines([columns.map(({ label }) => label)])
  for await (const batch of batches) {
    const lines = csvLines(batch.map((row) => columns.map((column) => csvCell(column, valueIn(row, column.key)))))
    if (batch.length) yield encoder.encode(headings + lines)
    if (batch.length) headings = ''
  }
  if (headings) yield encoder.encode(headings)
}

const WIDEST = 60

async function* xlsxTable(columns: TableColumn[], batches: Batches): AsyncGenerator<Uint8Array> {
  const rest = batches[Symbol.asyncIterator]()
  const first = await rest.next()
  const sample: object[] = first.done ? [] : first.value.slice(0, 200)
  const widthOf = ({ key, label }: TableColumn) =>
    Math.min(WIDEST, Math.max(label.length, ...sample.map((row) => String(valueIn(row, key) ?? '').length)) + 3)
  const styledColumns = columns.map(
    (column): SheetColumn => ({ label: column.label, kind: column.kind, width: widthOf(column) }),
  )
  const cells = (batch: object[]) => batch.map((row) => columns.map(({ key }) => valueIn(row, key)))
  async function* all() {
    if (!first.done) yield cells(first.value)
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield cells(next.value)
  }
  try {
    yield* xlsxStream(styledColumns, all())
  } finally {
    await rest.return?.()
  }
}

const tableStream = (format: Format, columns: TableColumn[], batches: Batches) =>
  (format === 'xlsx' ? xlsxTable : csvStream)(columns, batches)

async function* readAll(rows: object[]): Batches {
  yield rows
}

/** Builds a CSV or .xlsx file in memory. Use it only for short tables. */
export const fileBytes = async (format: Format, columns: TableColumn[], rows: TableRow[]): Promise<Uint8Array> =>
  Bun.readableStreamToBytes(
    new Response(tableStream(format, columns, readAll(rows)) as unknown as BodyInit).body as ReadableStream,
  )

const headers = (name: string, format: Format) => ({
  'content-type': TYPES[format],
  'content-disposition': `attachment; filename="${name}"`,
})

export const download = (name: string, bytes: Uint8Array): Response =>
  new Response(new Uint8Array(bytes), { headers: headers(name, name.endsWith('.xlsx') ? 'xlsx' : 'csv') })

/**
 * Streams a table as a CSV or .xlsx download. `name` has no extension.
 * The first chunk is created before the response starts. An early failure therefore results in an error message instead
 * of a truncated file.
 */
export async function tableFile(
  format: Format,
  name: string,
  columns: TableColumn[],
  rows: TableRow[] | Batches,
): Promise<Response> {
  const pieces = tableStream(format, columns, Array.isArray(rows) ? readAll(rows) : rows)
  let next = await pieces.next()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next.done) return controller.close()
        controller.enqueue(next.value)
        try {
          next = await pieces.next()
        } catch (error) {
          // If the error is a refusal, abort the stream without passing on the error, because the server would print
          // its stack trace. The client still sees that the download failed.
          controller.error(error instanceof Refusal ? undefined : error)
        }
      },
      // `return()` also ends the nested generators, but only if the outer generator has started. It has started,
      // because the first piece was read above.
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: headers(`${name}.${format}`, format) })
}
