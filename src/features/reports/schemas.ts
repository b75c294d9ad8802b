import { reportRuns, reportSchedules } from '../../../db/schema'
import {
  boolean,
  date,
  integer,
  list,
  number,
  object,
  oneOf,
  orNull,
  record,
  ref,
  type Schema,
  string,
} from '../../platform/docs/schema'

const column = object(
  { key: string, label: string, kind: oneOf(['text', 'date', 'count', 'money', 'decimal', 'percent']), sum: boolean },
  ['sum'],
)
export const value: Schema = { type: ['string', 'number', 'null'] }
export const sums: Schema = { type: 'object', additionalProperties: number }

export const reportSchemas = (): Record<string, Schema> => ({
  ReportColumn: column,
  Report: object({
    columns: list(ref('ReportColumn')),
    rows: list({ type: 'object', additionalProperties: value }),
    behind: list({ type: 'object', additionalProperties: string }),
    totals: sums,
    previous: { anyOf: [object({ start_date: date, end_date: date, totals: sums }), { type: 'null' }] },
    chart: { anyOf: [object({ label: string, value: string }), { type: 'null' }] },
  }),
  Schedule: record(reportSchedules),
  ScheduleWithRun: record(reportSchedules, { location_name: orNull(string), last_run_id: orNull(integer) }),
  ReportRun: record(reportRuns, { schedule_name: string }, ['content']),
})
