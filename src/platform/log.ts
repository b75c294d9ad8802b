export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Writes one line to the log. Never pass a password, a token or user input. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void

export type WriteLine = (level: LogLevel, line: string) => void

/** Maximum output that is buffered for a slow reader, in characters. Further lines are dropped and counted. */
const MAX_BUFFERED = 1024 * 1024

/**
 * Returns a function that writes lines to a stream without waiting for the reader of the stream.
 * `console.log` waits. If nothing read the output, the program would hang after about 400 lines.
 */
function createWriter(file: Bun.BunFile) {
  let sink: Bun.FileSink | undefined
  let buffered = 0
  let dropped = 0
  return (line: string) => {
    if (buffered > MAX_BUFFERED) {
      dropped++
      return
    }
    sink ??= file.writer()
    const text = `${dropped ? `${JSON.stringify({ at: new Date().toISOString(), level: 'warn', message: 'log lines were dropped', lines: dropped })}\n` : ''}${line}\n`
    dropped = 0
    buffered += text.length
    const release = () => {
      buffered -= text.length
    }
    try {
      sink.write(text)
      Promise.resolve(sink.flush()).then(release, release)
    } catch {
      release() // The reader has closed the stream; continue without it.
    }
  }
}

const writeStdout = createWriter(Bun.stdout)
const writeStderr = createWriter(Bun.stderr)

const toStreams: WriteLine = (level, line) => (level === 'debug' || level === 'info' ? writeStdout : writeStderr)(line)

/**
 * Creates a log that writes one JSON object per line, with times in UTC.
 * Lines with a level below `minLevel` are not written.
 */
export function jsonLog(minLevel: LogLevel, now: () => Date = () => new Date(), write: WriteLine = toStreams): Log {
  const from = LOG_LEVELS.indexOf(minLevel)
  return (level, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) >= from)
      write(level, JSON.stringify({ at: now().toISOString(), level, message, ...fields }))
  }
}
