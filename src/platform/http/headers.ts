import { Elysia } from 'elysia'
import { EARLY_SCRIPT } from '../../../views/early-script'
import type { AppContext } from '../context'
import { isSecure } from './request'

const earlyScriptHash = new Bun.CryptoHasher('sha256').update(EARLY_SCRIPT).digest('base64')

/** Content security policy. The hash allows one known inline script. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${earlyScriptHash}'`,
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

/** Sets security headers on every response. Routes for assets override `cache-control`. */
export function securityHeaders(ctx: AppContext) {
  return new Elysia({ name: 'headers' }).onRequest(({ set, request }) => {
    set.headers['content-security-policy'] = POLICY
    set.headers['x-content-type-options'] = 'nosniff'
    // Do not set the referrer policy to `no-referrer`. With that policy, browsers would send `Origin: null` with our
    // own forms, and the origin check would refuse the forms.
    set.headers['referrer-policy'] = 'same-origin'
    set.headers['x-frame-options'] = 'DENY'
    set.headers['cross-origin-opener-policy'] = 'same-origin'
    set.headers['cross-origin-resource-policy'] = 'same-origin'
    set.headers['cache-control'] = 'no-store'
    if (isSecure(request, ctx.config)) set.headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  })
}
