import { paths } from '../../src/platform/paths'
import { showCount, showInstant } from '../format'

/** A run of a scheduled report. A run with neither file nor error was skipped, because the report was empty. */
export type RunRow = {
  id: number
  schedule_name: string
  ran_at: Date
  row_count: number
  file_name: string | null
  error: string | null
}

export const runColumns = (timeZone: string) => [
  { label: 'Report', cell: (run: RunRow) => run.schedule_name },
  { label: 'When', cell: (run: RunRow) => showInstant(run.ran_at, timeZone) },
  { label: 'Rows', align: 'right' as const, cell: (run: RunRow) => showCount(run.row_count) },
  {
    label: 'File',
    cell: (run: RunRow) =>
      run.file_name ? (
        <a href={paths.schedules.file(run.id)} download="">
          {run.file_name}
        </a>
      ) : run.error ? (
        <span className="field-error">{run.error}</span>
      ) : (
        'Skipped: nothing to show'
      ),
  },
]
