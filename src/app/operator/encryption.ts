import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { hostsOf } from '../../../db/server-address'
import type { Config } from '../../platform/config'
import { type Finding, fail, ok, reason, warn } from './findings'

/** Warns about connections to other machines that are not encrypted, or whose certificate is not verified. */
export function checkEncryption({
  databaseUrl,
  reportsDatabaseUrl,
  mail,
}: Pick<Config, 'databaseUrl' | 'reportsDatabaseUrl' | 'mail'>): Finding[] {
  const isLocal = (url: string) => hostsOf(url).every((host) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host))
  const unverified = Object.entries({ DATABASE_URL: databaseUrl, REPORTS_DATABASE_URL: reportsDatabaseUrl }).filter(
    ([, url]) => url && !isLocal(url) && !url.includes('sslmode=verify-full'),
  )
  return [
    ...unverified.map(([name]) =>
      warn('database', 'the certificate of the server is not verified', `Add sslmode=verify-full to ${name}.`),
    ),
    ...(mail && !isLocal(mail.url) && mail.url.startsWith('smtp:') && !mail.url.includes('requireTLS=true')
      ? [warn('mail', 'is sent unencrypted to servers without STARTTLS', 'Add ?requireTLS=true to SMTP_URL.')]
      : []),
  ]
}

/** Days before the end of a certificate's validity from which `doctor` warns. */
const EXPIRY_WARNING_DAYS = 14
const DAY_MS = 86_400_000

export function checkCertificate({ tls }: Config): Finding[] {
  if (!tls) return []
  try {
    const [cert, key] = [readFileSync(tls.cert), readFileSync(tls.key)]
    createSecureContext({ cert, key })
    const validTo = new X509Certificate(cert).validToDate
    const days = Math.floor((validTo.getTime() - Date.now()) / DAY_MS)
    const text = `the certificate ${days < 0 ? 'expired' : 'expires'} on ${validTo.toISOString().slice(0, 10)}`
    const remedy = 'Replace the files of TLS_CERT and TLS_KEY, then restart the program.'
    if (days < 0) return [fail('tls', text, remedy)]
    return [days < EXPIRY_WARNING_DAYS ? warn('tls', text, remedy) : ok('tls', text)]
  } catch (error) {
    return [fail('tls', reason(error), 'Check TLS_CERT and TLS_KEY. The key must belong to the certificate.')]
  }
}
