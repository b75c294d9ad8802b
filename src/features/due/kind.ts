import { dueAssignments, dueSnoozes } from '../../../db/schema'
import type { RecordKind } from '../../platform/records/kind'

export const dueKinds: RecordKind[] = [
  { table: dueSnoozes, noun: 'snooze', many: 'snoozes' },
  { table: dueAssignments, noun: 'assignment', many: 'assignments' },
]
