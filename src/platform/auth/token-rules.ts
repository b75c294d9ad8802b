import { z } from 'zod'
import { TOKEN_SCOPES } from '../../../db/vocabulary'
import { choice, optionalCount, requiredText } from '../fields'
import { isNetwork } from '../networks'
import { currentPassword } from './confirmation'

/** Maximum lifetime of an API token, in days. It allows yearly rotation. */
export const LONGEST_TOKEN_DAYS = 366
const USUAL_TOKEN_DAYS = 90

/** Distinguishes API tokens from session tokens in logs and for secret scanners. */
export const TOKEN_PREFIX = 'ymt_'

/**
 * Splits a list of addresses at commas and white space. A text without an address, such as `,`, is returned as one
 * invalid address, because an empty list would allow every address.
 */
function addressesIn(text: string): string[] {
  const addresses = text.split(/[\s,]+/).filter(Boolean)
  return addresses.length === 0 && text.trim() !== '' ? [text] : addresses
}

/** IP addresses and networks. Forms send them as one text, separated by commas or spaces. */
const addresses = z.preprocess(
  (value) => (typeof value === 'string' ? addressesIn(value) : (value ?? [])),
  z
    .array(
      z.string({ error: 'Must be text' }).refine(isNetwork, {
        error: ({ input }) =>
          `“${String(input).slice(0, 45)}” is not an IP address or network. Enter, for example, 203.0.113.0/24`,
      }),
      { error: 'Must be a list of IP addresses or networks' },
    )
    .max(20, 'At most 20 IP addresses or networks')
    .transform((networks) => [...new Set(networks)]),
)

export const newToken = z.object({
  name: requiredText('Name is required', 100),
  scope: choice(TOKEN_SCOPES, 'Scope is required'),
  current_password: currentPassword,
  allowed_addresses: addresses,
  days: optionalCount(LONGEST_TOKEN_DAYS).transform((days) => days || USUAL_TOKEN_DAYS),
})
