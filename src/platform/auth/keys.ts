import { hkdfSync } from 'node:crypto'
import type { AppContext } from '../context'

const BYTES = 32

export type KeyPurpose =
  | 'held form'
  | 'device'
  | 'stored answer'
  | 'webhook secret'
  | 'second factor'
  | 'sign-in'
  | 'passkey'
  | 'single sign-on'

export const deriveKey = ({ signingKey }: Pick<AppContext, 'signingKey'>, purpose: KeyPurpose) =>
  Buffer.from(hkdfSync('sha256', signingKey, '', purpose, BYTES))
