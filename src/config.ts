import { firstHostOnly } from '../db/server-address'
import { LOG_LEVELS, type LogLevel } from './log'

/** What an operator can set. Every problem is one line that names the variable. */
export type Config = {
  port: number
  host: string
  databaseUrl: string | null
  dataDir: string
  adminPassword: string | null
  jwtSecret: string | null
  timeZone: string
  maxUploadBytes: number
  trustProxy: boolean
  tls: { cert: string; key: string } | null
  /** Nothing is written any more when less than this is free on the disk of `dataDir`. */
  minFreeBytes: number
  logLevel: LogLevel
  /** Statements that take this long are logged. */
  slowStatementMs: number
  /** Where mail is handed over and whom it comes from; null sends none. */
  mail: { url: string; from: string } | null
}

export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

function wholeNumber(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name]?.trim()
  if (!text) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
  }
  return value
}

function onOff(env: Environment, name: string): boolean {
  const text = env[name]?.trim().toLowerCase() ?? ''
  if (['', '0', 'false', 'off', 'no'].includes(text)) return false
  if (['1', 'true', 'on', 'yes'].includes(text)) return true
  throw new ConfigError(`${name} must be on or off, not "${text}"`)
}

function timeZone(env: Environment): string {
  const name = env.BUSINESS_TIME_ZONE?.trim() || 'America/Phoenix'
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return name
  } catch {
    throw new ConfigError(`BUSINESS_TIME_ZONE must be a time zone like America/Phoenix, not "${name}"`)
  }
}

function databaseUrl(env: Environment): string | null {
  const url = env.DATABASE_URL?.trim()
  if (!url) return null
  return readAddress('DATABASE_URL', url)
}

/** The address of a Postgres server. @throws ConfigError that does not repeat it, for a password may be in it */
export function readAddress(name: string, url: string): string {
  if (!/^postgres(ql)?:\/\/.+/.test(url)) throw new ConfigError(`${name} must begin with postgres://`)
  try {
    const { username, password } = new URL(firstHostOnly(url))
    decodeURIComponent(username)
    decodeURIComponent(password)
  } catch {
    throw new ConfigError(
      `${name} cannot be read; in a name or password write % as %25, # as %23, / as %2F, ? as %3F, : as %3A and @ as %40`,
    )
  }
  return url
}

function tls(env: Environment): Config['tls'] {
  const cert = env.TLS_CERT?.trim()
  const key = env.TLS_KEY?.trim()
  if (!cert && !key) return null
  if (!cert) throw new ConfigError('TLS_CERT must be set when TLS_KEY is')
  if (!key) throw new ConfigError('TLS_KEY must be set when TLS_CERT is')
  return { cert, key }
}

function mail(env: Environment): Config['mail'] {
  const url = env.SMTP_URL?.trim()
  if (!url) return null
  if (!/^smtps?:\/\/[^/]+/.test(url) || !URL.canParse(url))
    throw new ConfigError('SMTP_URL must begin with smtp:// or smtps://')
  const from = env.SMTP_FROM?.trim() || `yardmaster@${new URL(url).hostname}`
  if (!/^[^\s@]+@[^\s@]+$/.test(from)) throw new ConfigError(`SMTP_FROM must be an e-mail address, not "${from}"`)
  return { url, from }
}

function logLevel(env: Environment): LogLevel {
  const text = env.LOG_LEVEL?.trim().toLowerCase() || 'info'
  const level = LOG_LEVELS.find((known) => known === text)
  if (!level) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${text}"`)
  return level
}

function secret(env: Environment): string | null {
  const value = env.JWT_SECRET?.trim()
  if (!value) return null
  if (value.length < 16) throw new ConfigError('JWT_SECRET must be at least 16 characters long')
  return value
}

/** Reads the environment. @throws ConfigError with one clear line for the first bad value. */
export function readConfig(env: Environment): Config {
  return {
    port: wholeNumber(env, 'PORT', 3000, 0, 65_535),
    host: env.HOST?.trim() || '127.0.0.1',
    databaseUrl: databaseUrl(env),
    dataDir: env.DATA_DIR?.trim() || './data',
    adminPassword: env.ADMIN_PASSWORD || null,
    jwtSecret: secret(env),
    timeZone: timeZone(env),
    maxUploadBytes: wholeNumber(env, 'MAX_UPLOAD_MB', 25, 1, 2000) * 1024 * 1024,
    trustProxy: onOff(env, 'TRUST_PROXY'),
    tls: tls(env),
    minFreeBytes: wholeNumber(env, 'MIN_FREE_MB', 200, 0, 1_000_000) * 1024 * 1024,
    logLevel: logLevel(env),
    slowStatementMs: wholeNumber(env, 'SLOW_QUERY_MS', 500, 0, 60_000),
    mail: mail(env),
  }
}
