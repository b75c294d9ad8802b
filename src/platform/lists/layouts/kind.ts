import { listLayouts } from '../../../../db/schema'
import type { RecordKind } from '../../records/kind'

export const layoutKind: RecordKind = { table: listLayouts, noun: 'columns of user', many: 'columns of lists' }
