import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { AppContext } from '../context'
import { deriveKey, type KeyPurpose } from './keys'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts text for storage with a key that is derived from the signing key (AES-256-GCM, base64). */
export function seal(ctx: Pick<AppContext, 'signingKey'>, purpose: KeyPurpose, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(ctx, purpose), iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/** Decrypts text of `seal`. Throws when the signing key has changed since. */
export function unseal(ctx: Pick<AppContext, 'signingKey'>, purpose: KeyPurpose, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const key = deriveKey(ctx, purpose)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}
