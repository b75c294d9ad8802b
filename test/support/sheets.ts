import type { testContext } from './context'

type Row = { outcome: string; message: string | null; notes: string[]; values: Record<string, unknown> }

/** Imports of small sheets, whose lines are passed as CSV. */
export const sheets = (context: () => Awaited<ReturnType<typeof testContext>>) => {
  async function preview(dataType: string, ...lines: string[]) {
    const { ben } = context().cast
    const { id, found } = await ben.begin(dataType, 'sheet.csv', lines.join('\n'))
    return { found, rows: await rowsOf(id) }
  }
  const rowsOf = async (id: number) => (await context().cast.ben.get(`/files/${id}/rows`)).body.data as unknown as Row[]
  const textsOf = async (dataType: string, ...lines: string[]) =>
    (await preview(dataType, ...lines)).rows.map(({ outcome, message }) => message ?? outcome)
  /** Imports the sheet at once, and returns the stored records and the warnings. */
  async function store(dataType: string, path: string, ...lines: string[]) {
    const { ben } = context().cast
    const { body } = await ben.upload(dataType, 'sheet.csv', lines.join('\n'))
    const { data } = (await ben.get(`${path}?sort=unit_number&order=asc`)).body
    return {
      records: data as unknown as Record<string, unknown>[],
      warnings: body.validation_errors as unknown as string[],
    }
  }
  return { preview, rowsOf, textsOf, store }
}
