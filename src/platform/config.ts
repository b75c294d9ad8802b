import type { LogLevel } from './log'

export type OidcConfig = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Group whose members are administrators. Null if roles are managed here. */
  adminGroup: string | null
  /** Creates an account at the first sign-on of a person without one. */
  createsAccounts: boolean
  /** Usernames that can still use their password, in lowercase. Null if all accounts can. */
  passwordAccounts: string[] | null
}

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
  /** Minimum free space on the disk of `dataDir`. Below it, changes are refused. */
  minFreeBytes: number
  logLevel: LogLevel
  slowStatementMs: number
  /** Command and arguments of the virus scanner. It reads a file from standard input. */
  uploadScanner: string[] | null
  /** API requests allowed per token and minute, on each instance. */
  requestsPerMinute: number
  /** Allows webhooks to private and loopback addresses. */
  webhookAllowPrivate: boolean
  /** Address of the S3 bucket for uploaded files, with its keys. Null if they are stored in the database. */
  s3Url: string | null
  /** OpenID Connect provider for single sign-on. Null if none is configured. */
  oidc: OidcConfig | null
  /** Mail server URL and sender address. Null if the program sends no mail. */
  mail: { url: string; from: string } | null
}
