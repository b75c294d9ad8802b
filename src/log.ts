export const LOG_LEVELS = ['info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Writes one line; never a password, a token, or what somebody typed. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void

const WRITE = { info: (line: string) => console.log(line), warn: (line: string) => console.warn(line), error: (line: string) => console.error(line) }

/** One JSON object a line, instants in UTC: information to standard output, the rest to standard error. `least` is the least level that is written. */
export function jsonLog(least: LogLevel, now: () => Date = () => new Date()): Log {
  const from = LOG_LEVELS.indexOf(least)
  return (level, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < from) return
    WRITE[level](JSON.stringify({ at: now().toISOString(), level, message, ...fields }))
  }
}
