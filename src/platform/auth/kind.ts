import { apiTokens, secondFactors } from '../../../db/schema'
import type { RecordKind } from '../records/kind'

export const tokenKind: RecordKind = { table: apiTokens, noun: 'API token', many: 'API tokens' }

export const secondFactorKind: RecordKind = { table: secondFactors, noun: 'second factor', many: 'second factors' }
