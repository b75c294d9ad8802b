import { csvLines } from '../tables/csv'

export const COMPLETED_COLUMNS = ['Unit #', 'RA #', 'Location Out', 'Location In', 'Move Date', 'Final Cost', 'Move Type']

type Row = {
  unit_number: string
  ra_number: string | null
  location_out_name: string
  location_in_name: string
  move_date: string
  final_cost: number | null
  move_type: string
}

export const completedFileName = (period: { start_date: string; end_date: string }) => `transports_${period.start_date}_to_${period.end_date}.csv`

const line = (row: Row) => [
  row.unit_number,
  row.ra_number,
  row.location_out_name,
  row.location_in_name,
  row.move_date,
  row.final_cost === null ? null : row.final_cost.toFixed(2),
  row.move_type,
]

/** The completed report as a CSV download, sent batch by batch. */
export function completedCsv(period: { start_date: string; end_date: string }, batches: AsyncGenerator<Row[]>): Response {
  async function* text() {
    yield csvLines([COMPLETED_COLUMNS])
    for await (const batch of batches) yield csvLines(batch.map(line))
  }
  return new Response(text() as unknown as ReadableStream, {
    headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${completedFileName(period)}"` },
  })
}
