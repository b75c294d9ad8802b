import { hkdfSync } from 'node:crypto'
import type { AppContext } from '../context'

const BYTES = 32

export const deriveKey = (
  { signingKey }: Pick<AppContext, 'signingKey'>,
  purpose: 'held form' | 'device' | 'stored answer',
) => Buffer.from(hkdfSync('sha256', signingKey, '', purpose, BYTES))
