import { apiTokens, externalIdentities, passkeys, secondFactors } from '../../../db/schema'
import type { RecordKind } from '../records/kind'

export const tokenKind: RecordKind = { table: apiTokens, noun: 'API token', many: 'API tokens' }

export const identityKind: RecordKind = {
  table: externalIdentities,
  noun: 'external identity',
  many: 'external identities',
}

export const secondFactorKind: RecordKind = { table: secondFactors, noun: 'second factor', many: 'second factors' }

export const passkeyKind: RecordKind = { table: passkeys, noun: 'passkey', many: 'passkeys', calledBy: passkeys.name }
