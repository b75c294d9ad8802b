import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { AppContext } from '../context'
import { deriveKey, type KeyPurpose } from './keys'

type Keys = Pick<AppContext, 'signingKey'>

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts bytes with AES-256-GCM. The key is derived from the key that signs session tokens. */
export function sealBytes(keys: Keys, purpose: KeyPurpose, plain: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(keys, purpose), iv)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Thrown when encrypted data is forged or has another signing key. */
export class Unreadable extends Error {
  constructor() {
    super('The data is damaged or was encrypted with another JWT_SECRET')
  }
}

/** @throws Unreadable when the bytes are forged or the signing key has changed since the encryption */
export function unsealBytes(keys: Keys, purpose: KeyPurpose, sealed: Uint8Array): Buffer {
  const key = deriveKey(keys, purpose)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new Unreadable()
  }
}

export const seal = (keys: Keys, purpose: KeyPurpose, text: string): string =>
  sealBytes(keys, purpose, Buffer.from(text)).toString('base64')

/** @throws Unreadable when the text is forged or the signing key has changed since the encryption */
export const unseal = (keys: Keys, purpose: KeyPurpose, sealed: string): string =>
  unsealBytes(keys, purpose, Buffer.from(sealed, 'base64')).toString()

/** Returns null for forged text, or if the signing key has changed. */
export function unsealOrNull(keys: Keys, purpose: KeyPurpose, sealed: string): string | null {
  try {
    return unseal(keys, purpose, sealed)
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}
