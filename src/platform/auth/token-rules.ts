import { z } from 'zod'
import { TOKEN_SCOPES } from '../../../db/vocabulary'
import { choice, optionalCount, requiredText } from '../fields'
import { currentPassword } from './confirmation'

/** Maximum lifetime of an API token, in days. It allows yearly rotation. Every token must expire. */
export const LONGEST_TOKEN_DAYS = 366
const USUAL_TOKEN_DAYS = 90

/** Prefix of API tokens. It distinguishes them from session tokens in logs and for secret scanners. */
export const TOKEN_PREFIX = 'ymt_'

export const newToken = z.object({
  name: requiredText('Name is required', 100),
  scope: choice(TOKEN_SCOPES, 'Scope is required'),
  current_password: currentPassword,
  days: optionalCount(LONGEST_TOKEN_DAYS).transform((days) => days || USUAL_TOKEN_DAYS),
})
