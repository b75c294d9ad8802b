import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { AppContext } from '../context'

/**
 * A form that was sent when its sign-in had ended is held in the address of the login screen, so that nothing typed is
 * lost without scripts either. It is encrypted: an address is kept in more places than a form.
 */

/** What was to be sent, and where to. */
export type Held = { path: string; fields: [name: string, value: string][] }

/** Browsers and proxies take addresses of 8 KB. */
const LONGEST = 6000
const DAY_MS = 86_400_000
const SECRET = /password|token|secret/i
/** These say how a form was shown, not what was typed. */
const OWN = new Set(['back', 'was', 'version', 'warnings_seen'])

const keyOf = ({ signingKey }: AppContext) => createHash('sha256').update(`held ${signingKey}`).digest()

/** What somebody typed, for whoever sees it again. */
export const typedIn = ({ fields }: Held) =>
  // A ticked box comes with its hidden "no" before it.
  [...new Map(fields)].filter(([name, value]) => value !== '' && !OWN.has(name))

/** @returns undefined for what is not to be held: nothing typed, a password, a file, or too much of it */
export function hold(ctx: AppContext, path: string, body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const fields = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((one): [string, unknown] => [name, one]),
  )
  if (fields.some(([name, value]) => SECRET.test(name) || typeof value !== 'string')) return undefined
  const held: Held = { path, fields: fields as Held['fields'] }
  if (typedIn(held).length === 0) return undefined
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(ctx), iv)
  const plain = deflateRawSync(JSON.stringify({ ...held, at: ctx.clock.now().getTime() }))
  const text = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  return text.length > LONGEST ? undefined : text
}

/** @returns undefined for what we did not hold, or longer than a day ago */
export function release(ctx: AppContext, text: unknown): Held | undefined {
  if (typeof text !== 'string' || !text || text.length > LONGEST) return undefined
  try {
    const bytes = Buffer.from(text, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', keyOf(ctx), bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAuthTag(bytes.subarray(-16))
    const plain = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    const { at, ...held } = JSON.parse(inflateRawSync(plain, { maxOutputLength: 256 * 1024 }).toString()) as Held & {
      at: number
    }
    return ctx.clock.now().getTime() - at < DAY_MS ? held : undefined
  } catch {
    return undefined
  }
}
