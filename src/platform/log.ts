export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Writes one line to the log. Never pass a password, a token or user input. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void

export type WriteLine = (level: LogLevel, line: string) => void

/** Maximum number of characters that are buffered for a slow reader. Further lines are dropped and counted. */
const MAX_BUFFERED = 1024 * 1024

/**
 * Returns a function that writes lines without waiting for the reader.
 * `console.log` waits for the reader. The program would hang after about 400 lines if nothing read its output.
 * Lines that are logged in one turn of the event loop are sent together, because each write is a system call. If
 * `isUrgent` is true, lines are sent at once, because the process may be about to end.
 */
function createWriter(file: Bun.BunFile, isUrgent: boolean) {
  let sink: Bun.FileSink | undefined
  let buffered = 0
  let unsent = 0
  let dropped = 0
  let isFlushing = false
  const flush = () => {
    isFlushing = false
    const sent = unsent
    unsent = 0
    const release = () => {
      buffered -= sent
    }
    try {
      Promise.resolve(sink?.flush()).then(release, release)
    } catch {
      release() // The reader has closed the stream. Continue without a stream.
    }
  }
  return (line: string) => {
    if (buffered > MAX_BUFFERED) {
      dropped++
      return
    }
    sink ??= file.writer()
    const at = new Date().toISOString()
    const notice = { at, level: 'warn', message: 'log lines were dropped', lines: dropped }
    const text = dropped ? `${JSON.stringify(notice)}\n${line}\n` : `${line}\n`
    dropped = 0
    try {
      sink.write(text)
    } catch {
      return // The reader has closed the stream. Continue without a stream.
    }
    buffered += text.length
    unsent += text.length
    if (isUrgent) return flush()
    if (!isFlushing) setImmediate(flush)
    isFlushing = true
  }
}

const writeStdout = createWriter(Bun.stdout, false)
const writeStderr = createWriter(Bun.stderr, true)

const toStreams: WriteLine = (level, line) => (level === 'debug' || level === 'info' ? writeStdout : writeStderr)(line)

/**
 * Creates a log with one JSON object per line. Times are in UTC. Lines with a level below `minLevel` are not written.
 */
export function jsonLog(minLevel: LogLevel, now: () => Date = () => new Date(), write: WriteLine = toStreams): Log {
  const from = LOG_LEVELS.indexOf(minLevel)
  return (level, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) >= from)
      write(level, JSON.stringify({ at: now().toISOString(), level, message, ...fields }))
  }
}
