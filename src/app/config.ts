import { accessSync, constants, existsSync } from 'node:fs'
import { z } from 'zod'
import type { Config } from '../platform/config'
import { LOG_LEVELS } from '../platform/log'
import {
  address,
  isBucket,
  isDecodable,
  isProtected,
  isTimeZone,
  messageWithInput,
  onOff,
  setting,
  text,
  wholeNumber,
} from './config-rules'
import { ConfigError, collectSettings, type Environment, isSecret, secretFile } from './config-sources'

const ENVIRONMENT = z.object({
  CONFIG_FILE: text,
  PORT: wholeNumber(3000, 0, 65_535),
  HOST: setting(z.string().default('127.0.0.1')),
  DATABASE_URL: setting(address.optional()),
  REPORTS_DATABASE_URL: setting(address.optional()),
  DATA_DIR: setting(z.string().default('./data')),
  // `ADMIN_PASSWORD` is not trimmed, because a password can begin with a space.
  ADMIN_PASSWORD: z.string().optional(),
  JWT_SECRET: setting(z.string().min(16, 'must be at least 16 characters long').optional()),
  JWT_SECRET_PREVIOUS: setting(z.string().optional()),
  BUSINESS_TIME_ZONE: setting(
    z
      .string()
      .refine(isTimeZone, messageWithInput('must be a time zone like America/Phoenix, not {}'))
      .default('America/Phoenix'),
  ),
  MAX_UPLOAD_MB: wholeNumber(25, 1, 2000),
  TRUST_PROXY: onOff,
  TLS_CERT: text,
  TLS_KEY: text,
  MIN_FREE_MB: wholeNumber(200, 0, 1_000_000),
  LOG_LEVEL: setting(
    z
      .string()
      .toLowerCase()
      .pipe(z.enum(LOG_LEVELS, messageWithInput(`must be one of ${LOG_LEVELS.join(', ')}, not {}`)))
      .default('info'),
  ),
  SLOW_QUERY_MS: wholeNumber(500, 0, 60_000),
  // The names of these settings are defined by the OpenTelemetry specification.
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    z
      .string()
      .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), 'must be an http:// or https:// address')
      .refine((url) => !URL.canParse(url) || !new URL(url).username, 'must not contain a user name or password')
      .optional(),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    z
      .string()
      .regex(/^[^=,\s]+=[^,]*(,[^=,\s]+=[^,]*)*$/, 'must be a list such as NAME=VALUE,NAME=VALUE')
      .refine(isDecodable, 'must encode % as %25')
      .optional(),
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z.coerce.number('must be a number from 0 to 1').min(0, 'must be at least 0').max(1, 'must be at most 1').default(1),
  ),
  UPLOAD_SCANNER: text,
  API_REQUESTS_PER_MINUTE: wholeNumber(1200, 1, 1_000_000),
  WEBHOOK_ALLOW_PRIVATE: onOff,
  // Error messages never repeat the value of `S3_URL`, because it contains the access keys.
  S3_URL: setting(
    z.string().refine(isBucket, 'must be https://KEY:SECRET@HOST/BUCKET (http:// only on this machine)').optional(),
  ),
  OIDC_ISSUER: setting(
    // Error messages never repeat the value of `OIDC_ISSUER`, because it could contain a password by mistake.
    z
      .string()
      .refine(isProtected, 'must be an https:// address')
      .refine((url) => !URL.canParse(url) || !new URL(url).username, 'must not contain a user name or password')
      .optional(),
  ),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_ADMIN_GROUP: text,
  OIDC_CREATE_ACCOUNTS: onOff,
  OIDC_ONLY: onOff,
  OIDC_LOCAL_ACCOUNTS: setting(z.string().default('admin')),
  SMTP_URL: setting(
    z
      .string()
      .refine((url) => /^smtps?:\/\/[^/]+/.test(url) && URL.canParse(url), 'must begin with smtp:// or smtps://')
      .optional(),
  ),
  SMTP_FROM: setting(
    z
      .string()
      .regex(/^[^\s@]+@[^\s@]+$/, messageWithInput('must be an e-mail address, not {}'))
      .optional(),
  ),
})

export const VARIABLES = Object.keys(ENVIRONMENT.shape) as (keyof typeof ENVIRONMENT.shape)[]

/**
 * Formats a setting's value for display. For `UPLOAD_SCANNER`, shows only the program, because its arguments can
 * contain secrets.
 */
const shownValue = (name: string, value: unknown) =>
  name === 'UPLOAD_SCANNER' ? String(value).replace(/\s.*/s, ' …') : value

/**
 * Lists the effective settings, one `NAME=value (source)` per line. Secrets are masked.
 * @throws ConfigError with one line for the first invalid value
 */
export function describeConfig(env: Environment): string {
  readConfig(env)
  const { values: collected, sources } = collectSettings(env, VARIABLES)
  const values = ENVIRONMENT.parse(collected)
  return VARIABLES.map((name) => {
    const value = values[name]
    return (
      `${name}=${value === undefined ? '' : isSecret(name) ? '********' : shownValue(name, value)} ` +
      `(${sources.get(name) ?? 'default'})`
    )
  }).join('\n')
}

/** @throws ConfigError with one line that names the variable */
function firstProblem({ issues }: z.core.$ZodError): never {
  const [issue] = issues
  throw new ConfigError(`${String(issue?.path[0])} ${issue?.message}`)
}

/** @throws ConfigError with a message that does not contain the address */
export function readAddress(name: string, url: string): string {
  const { error } = z.object({ [name]: address }).safeParse({ [name]: url })
  if (error) firstProblem(error)
  return url
}

/**
 * Reads the settings of single sign-on (OpenID Connect). Returns null if there are none.
 * @throws ConfigError when only some of the required settings are present
 */
function readOidc(values: z.output<typeof ENVIRONMENT>): Config['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values
  const parts = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  const names = Object.entries(parts)
  const missing = names.filter(([, value]) => !value).map(([name]) => name)
  if (missing.length === names.length) {
    if (values.OIDC_ONLY) throw new ConfigError('OIDC_ISSUER must be set when OIDC_ONLY is on')
    return null
  }
  if (!issuer || !clientId || !clientSecret)
    throw new ConfigError(`${missing[0]} must be set together with ${names.find(([, value]) => value)?.[0]}`)
  return {
    issuer,
    clientId,
    clientSecret,
    adminGroup: values.OIDC_ADMIN_GROUP ?? null,
    createsAccounts: values.OIDC_CREATE_ACCOUNTS,
    passwordAccounts: values.OIDC_ONLY
      ? values.OIDC_LOCAL_ACCOUNTS.split(',').map((name) => name.trim().toLowerCase())
      : null,
  }
}

const readTracing = (values: z.output<typeof ENVIRONMENT>): Config['tracing'] =>
  values.OTEL_EXPORTER_OTLP_ENDPOINT
    ? {
        endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: Object.fromEntries(
          (values.OTEL_EXPORTER_OTLP_HEADERS?.split(',') ?? []).map((header) => {
            const [name = '', ...value] = header.split('=')
            return [name, decodeURIComponent(value.join('='))]
          }),
        ),
        sampleRatio: values.OTEL_TRACES_SAMPLER_ARG,
      }
    : null

/** @throws ConfigError when the file is missing or cannot be read */
function checkReadable(name: string, path: string) {
  if (!existsSync(path)) throw new ConfigError(`${name}: there is no file ${path}`)
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new ConfigError(`${name}: this account cannot read ${path}; check the permissions of the file`)
  }
}

/** @throws ConfigError with one line for the first invalid value */
export function readConfig(env: Environment): Config {
  const { data: values, error } = ENVIRONMENT.safeParse(collectSettings(env, VARIABLES).values)
  if (error) return firstProblem(error)
  const { TLS_CERT: cert, TLS_KEY: key, SMTP_URL: url } = values
  for (const [name, path] of Object.entries({ TLS_CERT: cert, TLS_KEY: key })) if (path) checkReadable(name, path)
  if (values.REPORTS_DATABASE_URL && !values.DATABASE_URL)
    throw new ConfigError('DATABASE_URL must be set when REPORTS_DATABASE_URL is set')
  if (key && !cert) throw new ConfigError('TLS_CERT must be set when TLS_KEY is set')
  if (cert && !key) throw new ConfigError('TLS_KEY must be set when TLS_CERT is set')
  return {
    oidc: readOidc(values),
    tracing: readTracing(values),
    s3Url: values.S3_URL ?? null,
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseUrlFile: secretFile(env, 'DATABASE_URL'),
    reportsDatabaseUrl: values.REPORTS_DATABASE_URL ?? null,
    reportsDatabaseUrlFile: secretFile(env, 'REPORTS_DATABASE_URL'),
    dataDir: values.DATA_DIR,
    adminPassword: values.ADMIN_PASSWORD || null,
    jwtSecret: values.JWT_SECRET ?? null,
    previousJwtSecret: values.JWT_SECRET_PREVIOUS ?? null,
    timeZone: values.BUSINESS_TIME_ZONE,
    maxUploadBytes: values.MAX_UPLOAD_MB * 1024 * 1024,
    trustProxy: values.TRUST_PROXY,
    tls: cert && key ? { cert, key } : null,
    minFreeBytes: values.MIN_FREE_MB * 1024 * 1024,
    logLevel: values.LOG_LEVEL,
    slowStatementMs: values.SLOW_QUERY_MS,
    uploadScanner: values.UPLOAD_SCANNER?.split(/\s+/) ?? null,
    requestsPerMinute: values.API_REQUESTS_PER_MINUTE,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    mail: url ? { url, from: values.SMTP_FROM ?? `yardmaster@${new URL(url).hostname}` } : null,
  }
}
