import {
  databaseError,
  isDatabaseAway,
  isDatabaseBusy,
  isDiskFull,
  violatedReference,
  violatedUnique,
} from '../../../db/client'
import { ERROR_TEXT_LIMIT, ERRORS_LIMIT } from '../accept'
import { FULL } from '../disk'
import { Conflict, type FieldError, Missing, Refusal, Refused } from '../refusals'

const UNREADABLE = new Refusal(400, 'The request could not be read')
export const DISK_FULL = new Refusal(507, FULL)
export const DATABASE_UNAVAILABLE = new Refusal(503, 'The database is not answering. Please try again in a moment.')
const DATABASE_BUSY = new Refusal(
  503,
  'The database is busy with another change, such as an import. Please try again in a moment.',
)
/**
 * Refusal of a value that the database rejected.
 * The validation rules should have refused the value, or a statement handles it wrongly.
 */
export const VALUE_REJECTED = new Refused([], 'Some of the values you entered cannot be stored')
/** Refusals that the log must contain, because their causes concern the operator. */
export const OPERATOR_REFUSALS = new Map([
  [DATABASE_UNAVAILABLE, 'the database did not answer'],
  [DATABASE_BUSY, 'the database was busy with another change'],
  [DISK_FULL, 'the disk is full'],
])

type ElysiaIssue = { path?: string; message?: string; summary?: string }

/** Converts Elysia's validation errors to a refusal. Omits the submitted values that Elysia includes in them. */
function refusedByElysia(error: { type?: string; all?: ElysiaIssue[] }, failureText?: string): Refusal {
  if (error.type === 'params') return new Missing(failureText)
  if (error.type === 'body' && error.all?.some(({ path }) => path === 'root'))
    return new Refusal(400, 'The request must be a JSON object')
  const errors = new Map<string, string>()
  for (const { path = '', message } of error.all ?? []) {
    const field = path.replace(/^\//, '').replaceAll('/', '.') || 'body'
    if (!errors.has(field)) errors.set(field, message ?? 'Is not valid')
  }
  const errorList: FieldError[] = [...errors].slice(0, ERRORS_LIMIT).map(([field, message]) => ({
    field: field.slice(0, ERROR_TEXT_LIMIT),
    message: message.slice(0, ERROR_TEXT_LIMIT),
  }))
  return errorList.length ? new Refused(errorList) : UNREADABLE
}

/** Converts an error to the refusal that the user sees. Returns null for an unexpected fault. */
export function refusalOf(code: string | number, error: unknown, failureText?: string): Refusal | null {
  if (error instanceof Refusal) return error
  // Elysia wraps an error that a parser throws, so the refusal is in `cause`.
  if (error instanceof Error && error.cause instanceof Refusal) return error.cause
  if (code === 'NOT_FOUND') return new Missing('Page')
  if (code === 'VALIDATION') return refusedByElysia(error as object, failureText)
  // A call stack overflow means that the input was nested too deeply.
  if (error instanceof RangeError && /call stack/i.test(error.message)) return UNREADABLE
  if (isDatabaseBusy(error) || (error instanceof Error && isDatabaseBusy(error.cause))) return DATABASE_BUSY
  if (isDatabaseAway(error) || (error instanceof Error && isDatabaseAway(error.cause))) return DATABASE_UNAVAILABLE
  if (code === 'PARSE') return UNREADABLE
  if (isDiskFull(error)) return DISK_FULL
  if (violatedUnique(error) !== null) return new Conflict('A record with these values already exists')
  if (violatedReference(error) !== null)
    return new Conflict('Another record uses this record, or this record refers to a record that does not exist')
  // SQLSTATE class 22 contains the errors about values.
  if (/^22/.test(databaseError(error)?.code ?? '')) return VALUE_REJECTED
  return null
}
