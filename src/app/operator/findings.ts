/** A result of `doctor`. `remedy` says how to solve the problem. */
export type Finding = { subject: string; state: 'ok' | 'warn' | 'fail'; text: string; remedy?: string }

export const ok = (subject: string, text: string): Finding => ({ subject, state: 'ok', text })
export const warn = (subject: string, text: string, remedy: string): Finding => ({
  subject,
  state: 'warn',
  text,
  remedy,
})
export const fail = (subject: string, text: string, remedy: string): Finding => ({
  subject,
  state: 'fail',
  text,
  remedy,
})
/** The message of an error, or of its cause if there is one. The cause is the technical problem. */
export const reason = (error: unknown): string =>
  error instanceof Error ? (error.cause ? reason(error.cause) : error.message) : String(error)

/** Formats one line of the report, for example `ok    database  embedded, …`. */
export const findingLine = ({ subject, state, text, remedy }: Finding) =>
  `${state.padEnd(5)} ${subject.padEnd(9)} ${text}${remedy ? `${/[.?!]$/.test(text) ? '' : '.'} ${remedy}` : ''}`
