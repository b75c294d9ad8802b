import { reportRuns, reportSchedules } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { RecordKind } from '../../platform/records/kind'

export const reportKinds: RecordKind[] = [
  {
    table: reportSchedules,
    noun: 'report schedule',
    many: 'report schedules',
    page: ({ id }) => paths.schedules.edit(id),
    history: 'cost viewers',
  },
  { table: reportRuns, noun: 'report run', many: 'report runs' },
]
