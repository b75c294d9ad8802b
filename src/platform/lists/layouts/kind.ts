import { listLayouts } from '../../../../db/schema'
import type { RecordKind } from '../../records/kind'

export const layoutKind: RecordKind = { table: listLayouts, noun: 'list layouts of user', many: 'list layouts' }
