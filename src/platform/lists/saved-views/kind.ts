import { savedViews } from '../../../../db/schema'
import type { RecordKind } from '../../records/kind'

export const savedViewKind: RecordKind = {
  table: savedViews,
  noun: 'view',
  many: 'views',
  calledBy: savedViews.name,
}
