import { previousKeys } from '../auth/reencryption'
import type { Session } from '../auth/sessions'
import type { AppContext } from '../context'
import type { RouteFacts } from './about'

export type ArrivedRequest = { request: Request; route: string; body: unknown; session: Session }

const convertedFiles = new WeakMap<Request, File>()

/**
 * Remembers the uploaded file of a request for the request's fingerprint.
 * The fingerprint is a hash that a retry must match, so a retry must send the same file. Needed for a route that
 * replaces the file in the body with the rows of the file.
 */
export const noteConvertedFile = (request: Request, file: File) => void convertedFiles.set(request, file)

/**
 * Removes a generated temporary password before the request's fingerprint is computed.
 * Every retry generates a different password, but must have the same fingerprint, which is a hash of the request.
 */
function withoutGeneratedPassword(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('temporary_password' in body)) return body
  return body.temporary_password === true ? { ...body, password: undefined, newPassword: undefined } : body
}

export const mayContainSecret = ({ isSensitive, tokens }: RouteFacts = {}) =>
  Boolean(isSensitive) || tokens === 'none' || tokens === 'read'

/**
 * Returns a keyed hash that identifies a request. It covers the method, URL, body and file contents.
 * The hash is keyed, because a body can contain a password. Without the key, someone with a copy of the database could
 * find the password by guessing.
 */
export async function fingerprintOf(
  { signingKey, routes }: Pick<AppContext, 'signingKey' | 'routes'>,
  { request, route, body, session }: ArrivedRequest,
): Promise<string> {
  const { pathname, search } = new URL(request.url)
  const hash = new Bun.CryptoHasher('sha256', signingKey).update(`${request.method} ${pathname}${search}\n`)
  // Include the session in the hash. A request from another session then has a different fingerprint and cannot get a
  // response that contains a secret.
  if (mayContainSecret(routes.factsOf(request.method, route))) hash.update(`${session.id}\n`)
  const files: File[] = []
  const text = JSON.stringify(withoutGeneratedPassword(body) ?? null, (_, value) => {
    if (!(value instanceof File)) return value
    files.push(value)
    return { name: value.name, size: value.size }
  })
  hash.update(text)
  const converted = convertedFiles.get(request)
  for (const file of converted ? [...files, converted] : files) hash.update(await file.arrayBuffer())
  return hash.digest('hex')
}

/**
 * Returns true if an earlier signing key produces the stored fingerprint.
 * The signing key may have changed since the first request with the same idempotency key was sent.
 */
export async function isFromBefore(ctx: AppContext, arrived: ArrivedRequest, fingerprint: string): Promise<boolean> {
  for (const signingKey of await previousKeys(ctx))
    if ((await fingerprintOf({ ...ctx, signingKey }, arrived)) === fingerprint) return true
  return false
}
