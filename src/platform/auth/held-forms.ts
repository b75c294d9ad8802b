import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { AppContext } from '../context'
import type { RouteFacts } from '../http/about'
import type { BodyContext, Caller } from '../http/bodies'
import { parseForm } from '../http/parse-body'
import { readBody } from '../http/read-body'
import { addressOf, isApi, isHtmx, sessionCookie } from '../http/request'
import { Refusal, SignedOut } from '../refusals'
import { admit, admitAgain, sessionIdOf } from './admission'
import { sealBytes, unsealBytes } from './sealing'
import { callerOf, findExpiredOwner } from './sessions'

/**
 * A held form: a form that was submitted with an expired session. The form is part of the login page's URL, so that
 * input is not lost even if JavaScript is off. The form is encrypted, because URLs appear in logs and browser
 * histories. Only the account that submitted the form can submit it again.
 */
export type HeldForm = {
  path: string
  /** Summary of what the form does, such as `Update a webhook`. */
  action: string
  fields: [name: string, value: string][]
}
type Sealed = HeldForm & { user: number; at: number }

/**
 * Maximum length of an encrypted form, in characters. The form becomes part of a URL, and browsers and proxies accept
 * URLs of 8 KB.
 */
const LENGTH_LIMIT = 6000
/** Maximum size of the submitted form, in bytes. A larger form would exceed `LENGTH_LIMIT` even after compression. */
const BODY_LIMIT = 64 * 1024
const BODY_DEADLINE_MS = 10_000
const DAY_MS = 86_400_000
const SECRET = /password|token|secret|code/i
/** Fields that the program itself adds to each form. They do not count as user input. */
const INTERNAL = new Set(['back', 'was', 'version', 'warnings_seen'])

export const typedFields = ({ fields }: Pick<HeldForm, 'fields'>) =>
  // For a repeated field, use the last value, because a hidden field with the value "no" precedes each checkbox.
  [...new Map(fields)].filter(([name, value]) => value !== '' && !INTERNAL.has(name))

/**
 * Encrypts a form for the URL of the login page.
 * @returns undefined when the form has no input, contains a secret or a file, or is too long
 */
export function seal(ctx: AppContext, user: number, form: Omit<HeldForm, 'fields'>, body: object): string | undefined {
  const fields = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((single): [string, unknown] => [name, single]),
  )
  if (fields.some(([name, value]) => SECRET.test(name) || typeof value !== 'string')) return undefined
  const payload = {
    ...form,
    fields: fields as HeldForm['fields'],
    user,
    at: ctx.clock.now().getTime(),
  } satisfies Sealed
  if (typedFields(payload).length === 0) return undefined
  const text = sealBytes(ctx, 'held form', deflateRawSync(JSON.stringify(payload))).toString('base64url')
  return text.length > LENGTH_LIMIT ? undefined : text
}

export function unseal(ctx: AppContext, user: number, text: unknown): HeldForm | undefined {
  if (typeof text !== 'string' || !text || text.length > LENGTH_LIMIT) return undefined
  try {
    const plain = unsealBytes(ctx, 'held form', Buffer.from(text, 'base64url'))
    const payload = JSON.parse(inflateRawSync(plain, { maxOutputLength: 256 * 1024 }).toString()) as Sealed
    return payload.user === user && ctx.clock.now().getTime() - payload.at < DAY_MS ? payload : undefined
  } catch {
    return undefined
  }
}

/**
 * True for forms that can be sent again after sign-in. Excludes forms that only administrators can use, and forms that
 * change roles, passwords, tokens or settings.
 */
const isHoldable = ({ role, isSensitive }: RouteFacts) => role !== 'admin' && role !== 'anyone' && !isSensitive

/**
 * Encrypts a form of an expired session, to submit after sign-in.
 * @returns undefined when the form cannot be encrypted, or when the session was ended before it expired
 */
async function holdForm(ctx: AppContext, { request, route, contentType }: BodyContext): Promise<string | undefined> {
  const facts = ctx.routes.factsOf(request.method, route)
  if (!facts?.summary || !isHoldable(facts) || isApi(request) || isHtmx(request)) return undefined
  if (contentType !== 'application/x-www-form-urlencoded') return undefined
  const session = await sessionIdOf(ctx, sessionCookie(request, ctx.config))
  const user = session && (await findExpiredOwner(ctx.db, session, ctx.clock.now()))
  if (!user) return undefined
  const body = await parseForm(
    request,
    contentType,
    await readBody(request, { limit: BODY_LIMIT, deadlineMs: BODY_DEADLINE_MS }),
  )
  return seal(ctx, user, { path: addressOf(request), action: facts.summary }, body)
}

/**
 * Checks that the user can use the route, before reading the body. If the session has expired, the error contains the
 * encrypted form, so that the user can submit it after sign-in.
 * @throws Refusal when the request is not allowed
 */
export async function admitBody(ctx: AppContext, arrival: BodyContext): Promise<Caller> {
  try {
    const session = await admit(ctx, arrival)
    return { name: callerOf(session), checkAgain: () => admitAgain(ctx, session, arrival) }
  } catch (error) {
    if (!(error instanceof SignedOut)) throw error
    const heldForm = await holdForm(ctx, arrival).catch((problem) => {
      if (problem instanceof Refusal) return undefined
      throw problem
    })
    throw new SignedOut(heldForm)
  }
}
