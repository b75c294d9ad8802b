import { companySettings } from '../../../db/schema'
import type { RecordKind } from '../../platform/records/kind'

export const settingsKind: RecordKind = { table: companySettings, noun: 'settings', many: 'settings' }
