export const LOG_LEVELS = ['info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Writes one line. Never pass a password, a token or user input. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void

export type WriteLine = (level: LogLevel, line: string) => void

/** Maximum buffered output, in characters. Further lines are dropped and counted. */
const HELD_LIMIT = 1024 * 1024

/**
 * Writes to a stream without waiting for its reader. `console.log` waits: if nobody reads the pipe, the program would
 * stop responding after about 400 lines.
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
    const text = `${left ? `${JSON.stringify({ at: new Date().toISOString(), level: 'warn', message: 'log lines were dropped', lines: left })}\n` : ''}${line}\n`
    left = 0
    held += text.length
    const settle = () => {
      held -= text.length
    }
    try {
      sink.write(text)
      Promise.resolve(sink.flush()).then(settle, settle)
    } catch {
      settle() // The reader closed the stream; continue without it.
    }
  }
}

const out = unhurried(Bun.stdout)
const err = unhurried(Bun.stderr)

const toStreams: WriteLine = (level, line) => (level === 'info' ? out : err)(line)

/** Writes one JSON object per line, with times in UTC. `least` is the lowest level written. */
export function jsonLog(least: LogLevel, now: () => Date = () => new Date(), write: WriteLine = toStreams): Log {
  const from = LOG_LEVELS.indexOf(least)
  return (level, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) >= from)
      write(level, JSON.stringify({ at: now().toISOString(), level, message, ...fields }))
  }
}
