import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { isSecure } from './request'

/** No inline script or style, nothing from elsewhere: a page can only do what our own files do. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
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

/** What every answer carries. Pages and data are never kept by a cache; assets say otherwise themselves. */
export function securityHeaders(ctx: AppContext) {
  return new Elysia({ name: 'headers' }).onRequest(({ set, request }) => {
    set.headers['content-security-policy'] = POLICY
    set.headers['x-content-type-options'] = 'nosniff'
    // Not `no-referrer`: browsers would then send `Origin: null` with our own forms.
    set.headers['referrer-policy'] = 'same-origin'
    set.headers['x-frame-options'] = 'DENY'
    set.headers['cross-origin-opener-policy'] = 'same-origin'
    set.headers['cross-origin-resource-policy'] = 'same-origin'
    set.headers['cache-control'] = 'no-store'
    if (isSecure(request, ctx.config)) set.headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  })
}
