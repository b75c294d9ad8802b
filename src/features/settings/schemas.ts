import { companySettings } from '../../../db/schema'
import { record, type Schema } from '../../platform/docs/schema'

export const settingsSchemas = (): Record<string, Schema> => ({
  Settings: record(companySettings),
})
