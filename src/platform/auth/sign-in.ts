import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { isDatabaseAway } from '../../../db/client'
import type { AppContext } from '../context'
import { requestId } from '../http/request-log'
import { RateLimited, Refusal } from '../refusals'
import type { Account } from './account-columns'
import { canUsePassword } from './confirmation'
import { deviceFor } from './devices'
import { acceptFactor } from './factor-codes'
import { type Assertion, passkeyRequest } from './passkey-sign-in'
import { CREDENTIAL_LIMIT, isCredentialId, type Site, siteOf } from './passkeys'
import { credentials, requireCredentials, signInCode } from './rules'
import { seal, unseal } from './sealing'
import { CODE_NEEDED } from './second-factor-text'
import { type From, type Signer, tokenFor, visitorOf } from './session-tokens'
import { isNewDevice, mailNewDevice, recordSignIn } from './sign-in-log'
import { signIn } from './verify-sign-in'

const TEMPORARY_PASSWORD_EXPIRED = 'Your temporary password has expired. Ask an administrator for a new password.'

const INVALID = 'Invalid username or password'
const INVALID_OR_SSO = `${INVALID}. Most accounts use single sign-on.`

const TICKET_EXPIRED = 'The time for the second step has expired. Enter your password again.'
const TICKET_MS = 5 * 60_000

/** Refusal of a right password with a missing or wrong code. */
export class CodeRequired extends Refusal {
  constructor(
    /** Encrypted proof that the password was right. The form sends it with the code, in place of the password. */
    readonly ticket: string,
    readonly isWrong: boolean,
    /** Options to ask for a passkey instead of the code. Null if the account has no passkeys. */
    readonly passkey: PublicKeyCredentialRequestOptionsJSON | null,
  ) {
    super(401, CODE_NEEDED, [{ field: 'code', message: CODE_NEEDED }])
  }
}

/**
 * Proves that the first step of a sign-in had the right password.
 * - `issued`: time of the first step, in milliseconds since 1970
 * - `challenge`: challenge for a passkey
 * - `entry`: id of the entry in the sign-in log. The first step alone is recorded as a failed sign-in. If the second
 *   step succeeds, the entry is replaced.
 */
type Ticket = { username: string; hash: string; challenge: string; issued: number; entry: number | null }

const CHALLENGE_BYTES = 32
const newChallenge = () => Buffer.from(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES))).toString('base64url')

async function codeRequired(
  ctx: AppContext,
  { isWrong, site, ...proof }: Omit<Ticket, 'challenge'> & { isWrong: boolean; site: Site },
): Promise<CodeRequired> {
  const ticket: Ticket = { ...proof, challenge: newChallenge() }
  const passkey = await passkeyRequest(ctx.db, ticket.username, ticket.challenge, site)
  return new CodeRequired(seal(ctx, 'sign-in', JSON.stringify(ticket)), isWrong, passkey)
}

/** @returns undefined if the ticket is missing, forged or expired */
function readTicket(ctx: AppContext, text: unknown): Ticket | undefined {
  if (typeof text !== 'string' || text === '' || text.length > CREDENTIAL_LIMIT) return undefined
  try {
    const ticket: Ticket = JSON.parse(unseal(ctx, 'sign-in', text))
    return ticket.issued + TICKET_MS > ctx.clock.now().getTime() ? ticket : undefined
  } catch {
    return undefined
  }
}

function readAssertion(text: unknown, { challenge, issued }: Ticket, site: Site): Assertion | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  try {
    const response: unknown = JSON.parse(text)
    if (typeof response !== 'object' || response === null) return undefined
    if (!('id' in response && isCredentialId(response.id))) return undefined
    return { response: response as Assertion['response'], challenge, issued: new Date(issued), site }
  } catch {
    return undefined
  }
}

/**
 * Signs a user in, for both API and page routes.
 * @throws Refused when a field is empty, Refusal (401) when the credentials do not match, RateLimited after too many
 * failures
 */
export async function signInWith(
  ctx: AppContext,
  tokens: Signer,
  input: unknown,
  from: From,
): Promise<{ token: string; account: Account; deviceKey: string }> {
  const fields: Record<string, unknown> = typeof input === 'object' && input !== null ? { ...input } : {}
  const ticket = readTicket(ctx, fields.ticket)
  const isTicketExpired = !ticket && Boolean(fields.ticket) && !fields.password
  if (isTicketExpired) throw new Refusal(401, TICKET_EXPIRED)
  const proof = ticket ?? requireCredentials(credentials.parse(fields))
  const { username } = proof
  const { passwordAccounts } = ctx.config.oidc ?? {}
  const site = siteOf(from.request, ctx.config)
  const assertion = ticket && readAssertion(fields.passkey, ticket, site)
  const code = signInCode.parse(fields.code)
  const hasFactor = Boolean(code || assertion)
  const visitor = visitorOf(ctx, from)
  const keys = await ctx.limits.keysOf(username)
  const device = deviceFor(ctx, from.request, keys.device)
  const attempt = { account: keys.account, address: visitor.address, device }
  const logBlocked = (error: unknown): never => {
    if (error instanceof RateLimited)
      ctx.log('warn', 'sign-in blocked', { id: requestId(from.request), address: visitor.address })
    throw error
  }
  const now = ctx.clock.now()
  let isCodeCounted = false
  let isChecked = true
  await ctx.limits.count(attempt).catch(logBlocked)
  const opened = await signIn(ctx.db, proof, visitor, now, {
    mayUsePassword: (stored) => canUsePassword(ctx, stored),
    checkInTurn: (check) =>
      ctx.limits.checkInTurn(attempt, check).catch((error) => {
        isChecked = false
        return logBlocked(error)
      }),
    async countCode() {
      if (!hasFactor) return
      await ctx.limits.countCode(attempt).catch(logBlocked)
      isCodeCounted = true
    },
    acceptCode: (tx, user) => acceptFactor(ctx, tx, user, { code, assertion }, now),
  }).catch(async (error) => {
    // If the password was not checked, or the database is not available, remove the attempt from the counts. This does
    // not allow more guesses of the password, because a wrong password is refused earlier, before the transaction.
    if (!isChecked || isDatabaseAway(error)) await ctx.limits.notCompleted(attempt, isCodeCounted).catch(() => {})
    throw error
  })
  const isRefused = 'meant' in opened
  ctx.metrics.signIns.inc({ outcome: isRefused ? 'refused' : 'accepted' })
  // Do not log unknown usernames, because people sometimes type their password into the username field.
  const name = isRefused ? opened.meant : opened.account.username
  ctx.log(isRefused ? 'warn' : 'info', isRefused ? 'sign-in refused' : 'signed in', {
    id: requestId(from.request),
    address: visitor.address,
    ...(name ? { username: name } : {}),
  })
  const isNew = !isRefused && device === null && (await isNewDevice(ctx.db, username, visitor, 'password'))
  // If only the code is missing, the sign-in is recorded once, as failed. When the right code follows, that entry is
  // replaced.
  const outcome = { at: now, method: 'password', isAccepted: !isRefused } as const
  const isRecorded = isRefused && !hasFactor && typeof ticket?.entry === 'number'
  const entry = isRecorded
    ? (ticket?.entry ?? null)
    : await recordSignIn(ctx.db, username, visitor, outcome, isRefused ? null : (ticket?.entry ?? null))
  if (isCodeCounted && !(isRefused && opened.needsCode)) await ctx.limits.codeNotWrong(attempt)
  if (isRefused && opened.needsCode && !hasFactor) await ctx.limits.countFirstStep(attempt)
  if (isRefused && opened.needsCode)
    throw await codeRequired(ctx, {
      username: opened.meant ?? username,
      hash: opened.needsCode.hash,
      issued: ticket?.issued ?? now.getTime(),
      entry: ticket?.entry ?? entry,
      isWrong: hasFactor,
      site,
    })
  if (isRefused)
    throw new Refusal(
      401,
      'isExpired' in opened ? TEMPORARY_PASSWORD_EXPIRED : passwordAccounts ? INVALID_OR_SSO : INVALID,
    )
  await ctx.limits.succeeded(attempt)
  if (isNew && opened.previousLogin) mailNewDevice(ctx, opened.account, visitor)
  return { token: await tokenFor(tokens, opened.session), account: opened.account, deviceKey: keys.device }
}
