import type { LogLevel } from './log'

/** The settings of an installation. */
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
  /** The virus scanner's command with its arguments; it reads a file from standard input. */
  uploadScanner: string[] | null
  /** API requests that each token can make per minute, on each instance. */
  requestsPerMinute: number
  /** Where mail is handed over and whom it comes from; null sends none. */
  mail: { url: string; from: string } | null
}
