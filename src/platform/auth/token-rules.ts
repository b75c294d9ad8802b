import { z } from 'zod'
import { TOKEN_SCOPES } from '../../../db/vocabulary'
import { choice, optionalCount, requiredText } from '../fields'
import { currentPassword } from './confirmation'

/** Long enough for a yearly rotation, and no token lives for ever. */
export const LONGEST_TOKEN_DAYS = 366
const USUAL_TOKEN_DAYS = 90

/** Sets an API token apart from a session's, for readers of logs and for scanners of repositories. */
export const TOKEN_PREFIX = 'ymt_'

export const newToken = z.object({
  name: requiredText('Name is required', 100),
  scope: choice(TOKEN_SCOPES, 'Scope is required'),
  current_password: currentPassword,
  days: optionalCount(LONGEST_TOKEN_DAYS).transform((days) => days || USUAL_TOKEN_DAYS),
})
