import { z } from 'zod'
import { firstHostOnly } from '../../db/server-address'

/** Wraps the validation rule of a setting. Trims the value, and treats an empty value as missing. */
export const setting = <Rule extends z.ZodType>(rule: Rule) =>
  z.preprocess((value) => (typeof value === 'string' ? value.trim() || undefined : value), rule)

/** Returns the option `error` for a Zod validation rule. In `message`, `{}` is replaced by the invalid value. */
export const messageWithInput = (message: string) => ({
  error: ({ input }: { input?: unknown }) => message.replace('{}', `"${input}"`),
})

export const wholeNumber = (fallback: number, min: number, max: number) => {
  const errorText = messageWithInput(`must be a whole number from ${min} to ${max}, not {}`)
  return setting(
    z
      .string()
      .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, errorText)
      .transform(Number)
      .default(fallback),
  )
}

const OFF_VALUES = ['0', 'false', 'off', 'no']
const ON_VALUES = ['1', 'true', 'on', 'yes']
export const onOff = setting(
  z
    .string()
    .refine(
      (text) => [...OFF_VALUES, ...ON_VALUES].includes(text.toLowerCase()),
      messageWithInput('must be on or off, not {}'),
    )
    .transform((text) => ON_VALUES.includes(text.toLowerCase()))
    .default(false),
)

/**
 * True for time zone names, such as `America/Phoenix`. Offsets are rejected, because the database reads +05:30 with the
 * opposite sign and cannot read -0700.
 */
export const isTimeZone = (name: string) => {
  if (/^[+-]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }))
  } catch {
    return false
  }
}

export const text = setting(z.string().optional())

/** Error messages never repeat the address, because it can contain a password. */
export const address = z
  .string()
  .regex(/^postgres(ql)?:\/\/.+/, 'must begin with postgres://')
  .refine((url) => {
    try {
      const { username, password } = new URL(firstHostOnly(url))
      return [username, password].map(decodeURIComponent)
    } catch {
      return false
    }
  }, 'is not a valid URL; in a user name or password, write % as %25, # as %23, / as %2F, ? as %3F, : as %3A ' +
    'and @ as %40')

/** True for an https address, or an http address of this machine. */
export function isProtected(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}

export function isBucket(url: string): boolean {
  if (!isProtected(url)) return false
  const { username, password, pathname } = new URL(url)
  return Boolean(username && password && /^\/[^/]+\/?$/.test(pathname))
}

export function isDecodable(text: string): boolean {
  try {
    return typeof decodeURIComponent(text) === 'string'
  } catch {
    return false
  }
}
