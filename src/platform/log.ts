export const LOG_LEVELS = ['info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Writes one line; never a password, a token, or what somebody typed. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void

/** Where a finished line goes. */
export type WriteLine = (level: LogLevel, line: string) => void

/** Lines that wait for a reader, in bytes; what comes beyond is left out, and counted. */
const HELD_LIMIT = 1024 * 1024

/**
 * Writes to a stream without waiting for whoever reads it. `console.log` waits: a program whose output goes into a pipe
 * that nobody reads would stop answering after some four hundred lines.
 */
function unhurried(file: Bun.BunFile) {
  let sink: Bun.FileSink | undefined
  let held = 0
  let left = 0
  return (line: string) => {
    if (held > HELD_LIMIT) {
      left++
      return
    }
    sink ??= file.writer()
    const text = `${left ? `${JSON.stringify({ at: new Date().toISOString(), level: 'warn', message: 'lines were left out', lines: left })}\n` : ''}${line}\n`
    left = 0
    held += text.length
    const settle = () => {
      held -= text.length
    }
    try {
      sink.write(text)
      Promise.resolve(sink.flush()).then(settle, settle)
    } catch {
      settle() // The reader has gone away; the work goes on without one.
    }
  }
}

const out = unhurried(Bun.stdout)
const err = unhurried(Bun.stderr)

/** Information to standard output, the rest to standard error. */
const toStreams: WriteLine = (level, line) => (level === 'info' ? out : err)(line)

/** One JSON object a line, instants in UTC. `least` is the least level that is written. */
export function jsonLog(least: LogLevel, now: () => Date = () => new Date(), write: WriteLine = toStreams): Log {
  const from = LOG_LEVELS.indexOf(least)
  return (level, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) >= from)
      write(level, JSON.stringify({ at: now().toISOString(), level, message, ...fields }))
  }
}
