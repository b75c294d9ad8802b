import type { Office } from '../office'
import { Refusal } from '../refusals'
import type { SignInLimits } from './limits'
import { type Account, renewSession, type Session, signIn, type Visitor } from './queries'
import { ABSOLUTE_LIMIT_MS, credentials, requireCredentials } from './rules'

type Signer = { sign(claims: { sid: string; exp: number }): Promise<string> }

const tokenFor = (office: Office, tokens: Signer, session: string) =>
  tokens.sign({ sid: session, exp: Math.floor((office.clock.now().getTime() + ABSOLUTE_LIMIT_MS) / 1000) })

/**
 * Signs in with what was typed, for both doors.
 * @throws Refused when a field is empty, a 401 refusal when they do not match, RateLimited after too many failures
 */
export async function signInWith(
  office: Office,
  tokens: Signer,
  limits: SignInLimits,
  typed: unknown,
  visitor: Visitor,
): Promise<{ token: string; account: Account }> {
  const { username, password } = requireCredentials(credentials.parse(typed ?? {}))
  await limits.count(username, visitor.address)
  const opened = await signIn(office.db, { username, password }, visitor, office.clock.now())
  if (!opened) throw new Refusal(401, 'Invalid username or password')
  await limits.succeeded(username, visitor.address)
  return { token: await tokenFor(office, tokens, opened.session), account: opened.account }
}

/** A new token in place of the session's present one, which stops working. */
export async function renewToken(office: Office, tokens: Signer, session: Session, visitor: Visitor): Promise<string | null> {
  const renewed = await renewSession(office.db, session.id, visitor, office.clock.now())
  return renewed ? tokenFor(office, tokens, renewed) : null
}
