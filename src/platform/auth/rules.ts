import { z } from 'zod'
import { changeOf, optionalEmail, optionalText, yesNo } from '../fields'
import { Refused } from '../refusals'
import { isCommonPassword } from './common-passwords'
import { currentPassword } from './confirmation'
import { normalizeUsername } from './usernames'

export const IDLE_LIMIT_MS = 8 * 60 * 60 * 1000
export const ABSOLUTE_LIMIT_MS = 24 * 60 * 60 * 1000
const TEMPORARY_PASSWORD_MS = 7 * 24 * 60 * 60 * 1000
/** Temporary passwords expire, because another person has set or seen them. */
export const temporaryUntil = (now: Date) => new Date(now.getTime() + TEMPORARY_PASSWORD_MS)
export const MIN_PASSWORD_LENGTH = 8
export const PASSWORD_TOO_SHORT = `Password must be at least ${MIN_PASSWORD_LENGTH} characters`
export const PASSWORD_TOO_SIMPLE = 'Password must contain an uppercase letter, a lowercase letter and a number'

export const isMixed = (password: string) => /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /\d/.test(password)

const storablePassword = z
  .string({ error: 'Password is required' })
  .min(1, 'Password is required')
  .min(MIN_PASSWORD_LENGTH, PASSWORD_TOO_SHORT)
  .max(200, 'At most 200 characters')
  .refine(
    (password) => password.isWellFormed() && !password.includes('\0'),
    'Contains characters that cannot be stored',
  )

/** Rule for the password of the first account. The rule is fixed, because no password settings exist yet. */
export const strongPassword = storablePassword.refine(isMixed, PASSWORD_TOO_SIMPLE)

const PASSWORD_TOO_COMMON = 'This is one of the most common passwords. Choose another password.'

/** `refuseWeak` also checks the password against the settings. */
export const newPassword = storablePassword.refine((password) => !isCommonPassword(password), PASSWORD_TOO_COMMON)

/**
 * Replaces NUL characters and lone surrogates, which Postgres cannot store. Usernames cannot contain these characters,
 * so the input matches no account in any case.
 */
const storable = (value: string) => value.toWellFormed().replaceAll('\0', '\uFFFD')

/**
 * Maximum length of a username at sign-in, in characters. All valid usernames are shorter. Longer input is cut off,
 * because processing it would be slow.
 */
const USERNAME_LENGTH = 200

/** Accepts any input. Malformed and wrong credentials must get the same error. */
export const credentials = z.object({
  username: z
    .unknown()
    .optional()
    .transform((value) =>
      typeof value === 'string' ? normalizeUsername(storable(value.trim().slice(0, USERNAME_LENGTH))) : '',
    ),
  password: z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'string' ? value : '')),
})

/**
 * Names of the fields that a sign-in request can have. The values are checked later, so that every failed sign-in gets
 * the same error.
 */
export const signInFields = z.strictObject(
  Object.fromEntries(
    ['username', 'password', 'code', 'ticket', 'passkey'].map((name) => [name, z.unknown().optional()]),
  ),
)

/** A second-factor code or a recovery code. */
export const signInCode = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? storable(value).slice(0, 40) : ''))

const EMPTY_CREDENTIALS = 'Please enter username and password'

export function requireCredentials(input: z.output<typeof credentials>) {
  const errors = (['username', 'password'] as const)
    .filter((field) => input[field] === '')
    .map((field) => ({ field, message: EMPTY_CREDENTIALS }))
  if (errors.length) throw new Refused(errors, EMPTY_CREDENTIALS)
  return input
}

export const passwordChange = z.object({
  currentPassword: z.string({ error: 'Current password is required' }).min(1, 'Current password is required').max(1000),
  newPassword,
  revoke_tokens: yesNo(true),
})

export const SAME_PASSWORD = 'The new password must differ from the current password'

export const profile = z.object({
  first_name: optionalText(50),
  last_name: optionalText(50),
  email: optionalEmail(100),
  phone: optionalText(20),
  wants_due_mail: yesNo(false),
})

export const profileChange = changeOf(profile.extend({ current_password: currentPassword }))

export function checkMail({ wants_due_mail, email }: { wants_due_mail: boolean; email: string | null }) {
  if (wants_due_mail && !email) throw Refused.field('email', 'Enter an e-mail address to receive the daily mail')
}

export function isLive(session: { last_seen_at: Date; expires_at: Date }, now: Date): boolean {
  return now < session.expires_at && now.getTime() - session.last_seen_at.getTime() < IDLE_LIMIT_MS
}
