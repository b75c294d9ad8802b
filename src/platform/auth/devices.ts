import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../context'
import { cookie, hostCookieName, isSecure, setCookie } from '../http/request'
import { deriveKey } from './keys'

/**
 * Name of the cookie that makes a browser a known device. The signed cookie lists the accounts that the browser has
 * signed in to. Failed sign-ins from a known device are counted separately, so that attempts from other devices cannot
 * lock out the known device.
 */
const COOKIE = 'yardmaster_device'
/** Lifetime of the device cookie, in seconds. Browsers allow at most 400 days. */
const MAX_AGE = 400 * 86_400
const ACCOUNT_LIMIT = 20

type Device = { id: string; accounts: string[] }

const signatureOf = (ctx: AppContext, text: string) =>
  createHmac('sha256', deriveKey(ctx, 'device')).update(text).digest('base64url')

function readDevice(ctx: AppContext, request: Request): Device | null {
  const [id = '', accounts = '', signature = ''] = (
    cookie(request, hostCookieName(COOKIE, request, ctx.config)) ?? ''
  ).split('.')
  const [signatureBytes, expected] = [Buffer.from(signature), Buffer.from(signatureOf(ctx, `${id}.${accounts}`))]
  if (signatureBytes.length !== expected.length || !timingSafeEqual(signatureBytes, expected)) return null
  return { id, accounts: accounts.split('-') }
}

/** Returns the id of a browser that has signed in before, to any account. */
export const deviceIdOf = (ctx: AppContext, request: Request): string | null => readDevice(ctx, request)?.id ?? null

export function deviceFor(ctx: AppContext, request: Request, account: string): string | null {
  const device = readDevice(ctx, request)
  return device?.accounts.includes(account) ? device.id : null
}

export function deviceCookie(ctx: AppContext, request: Request, account: string): string {
  const { id, accounts } = readDevice(ctx, request) ?? { id: crypto.randomUUID(), accounts: [] }
  const accountIds = [account, ...accounts.filter((other) => other !== account)].slice(0, ACCOUNT_LIMIT)
  const text = `${id}.${accountIds.join('-')}`
  return setCookie(hostCookieName(COOKIE, request, ctx.config), `${text}.${signatureOf(ctx, text)}`, {
    maxAge: MAX_AGE,
    secure: isSecure(request, ctx.config),
  })
}
