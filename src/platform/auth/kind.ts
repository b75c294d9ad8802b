import { apiTokens } from '../../../db/schema'
import type { RecordKind } from '../records/kind'

export const tokenKind: RecordKind = { table: apiTokens, noun: 'API token', many: 'API tokens' }
