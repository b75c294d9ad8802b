import type { z } from 'zod'
import { optionalEmail, optionalText } from '../fields'
import { normalizeUsername } from './usernames'

/**
 * A person, as described by the single sign-on provider. A property is null if the provider does not send it.
 * `authenticated` is the time when the person entered credentials at the provider.
 */
export type Person = {
  issuer: string
  subject: string
  authenticated: Date | null
  username: string | null
  verifiedEmail: string | null
  first_name: string | null
  last_name: string | null
  email: string | null
  groups: string[]
}

const fieldOf = (rule: z.ZodType<string | null>, value: unknown) =>
  typeof value === 'string' ? (rule.safeParse(value).data ?? null) : null

function groupsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((group) => typeof group === 'string') : []
}

/**
 * Converts a time from seconds to a date. Returns null if the number is too large for a date, for example because the
 * provider sent microseconds.
 */
export function instantOf(seconds: unknown): Date | null {
  if (typeof seconds !== 'number') return null
  const instant = new Date(seconds * 1000)
  return Number.isNaN(instant.getTime()) ? null : instant
}

/**
 * Returns the person's e-mail address and whether it is verified. The address in the user info takes precedence over
 * the address in the ID token. If the user info does not say whether its address is verified, the ID token decides. But
 * the ID token counts only if it contains the same address.
 */
function emailOf(claims: Record<string, unknown>, more: Record<string, unknown>) {
  const { email, email_verified } = more.email === undefined ? claims : more
  const isSame = email_verified === undefined && claims.email === email
  return { email, email_verified: isSame ? claims.email_verified : email_verified }
}

/**
 * Returns the username in a claim, or null. The result is null if the claim is invalid or would need normalization. If
 * the claim were normalized, a name with surrounding spaces or full-width letters could select the account of another
 * person.
 */
function plainName(claim: unknown): string | null {
  const name = fieldOf(optionalText(50), claim)
  return name === claim && name !== null && normalizeUsername(name) === name ? name : null
}

/**
 * Combines the claims of an ID token with the user info. The user info takes precedence, because some providers send
 * groups and other claims only there. Issuer, subject and time always come from the ID token.
 */
export function personOf(idToken: Record<string, unknown>, userInfo: Record<string, unknown>): Person {
  const claims: Record<string, unknown> = { ...idToken, ...userInfo, ...emailOf(idToken, userInfo) }
  const email = fieldOf(optionalEmail(100), claims.email)
  return {
    issuer: String(idToken.iss),
    subject: String(idToken.sub),
    authenticated: instantOf(idToken.auth_time),
    username: plainName(claims.preferred_username),
    verifiedEmail: claims.email_verified === true ? email : null,
    first_name: fieldOf(optionalText(50), claims.given_name),
    last_name: fieldOf(optionalText(50), claims.family_name),
    // Many providers do not say whether an address is verified. Ignore only addresses that they call unverified.
    email: claims.email_verified === false ? null : email,
    groups: groupsOf(claims.groups),
  }
}
