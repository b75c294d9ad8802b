import type { LogLevel } from './log'

export type OidcConfig = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Group at the sign-in provider whose members are administrators. Null if Yardmaster manages the roles. */
  adminGroup: string | null
  /** True if single sign-on creates missing accounts. */
  createsAccounts: boolean
  /** Lowercase usernames that can still sign in with a password. Null if all accounts can. */
  passwordAccounts: string[] | null
}

export type TracingConfig = {
  /** Base URL of an OpenTelemetry collector that accepts OTLP over HTTP. */
  endpoint: string
  headers: Record<string, string>
  /** Share of requests that are traced, from 0 to 1. */
  sampleRatio: number
}

export type Config = {
  port: number
  host: string
  databaseUrl: string | null
  /** File that `databaseUrl` was read from. The operator can replace the password in it while the program runs. */
  databaseUrlFile: string | null
  /** URL of a read replica of the database, for reports and exports. */
  reportsDatabaseUrl: string | null
  reportsDatabaseUrlFile: string | null
  dataDir: string
  adminPassword: string | null
  jwtSecret: string | null
  /**
   * Signing key that was used before the current `jwtSecret`. At startup, secrets that are encrypted with this key are
   * encrypted again with `jwtSecret`.
   */
  previousJwtSecret: string | null
  timeZone: string
  maxUploadBytes: number
  trustProxy: boolean
  tls: { cert: string; key: string } | null
  /** Minimum free space, in bytes, on the disk of `dataDir`. With less free space, changes are refused. */
  minFreeBytes: number
  logLevel: LogLevel
  slowStatementMs: number
  /** Command and arguments of the virus scanner. The scanner reads a file from standard input. */
  uploadScanner: string[] | null
  /** API requests allowed per token and minute, on each instance. */
  requestsPerMinute: number
  webhookAllowPrivate: boolean
  /** URL of the S3 bucket for uploaded files, with the access keys. Null if no bucket is used. */
  s3Url: string | null
  oidc: OidcConfig | null
  tracing: TracingConfig | null
  /** Mail server URL and sender address. Null if the program sends no mail. */
  mail: { url: string; from: string } | null
}
