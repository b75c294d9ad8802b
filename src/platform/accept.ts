import type { z } from 'zod'
import { type FieldError, Refused } from './refusals'

/**
 * Limits for the errors in a response. They limit the number of errors, and the characters of each field name and
 * message. Error texts can repeat user input. Without limits, a request could cause a very large response.
 */
export const ERRORS_LIMIT = 100
export const ERROR_TEXT_LIMIT = 300

/** Converts Zod issues to field errors, at most `ERRORS_LIMIT`. Only the first issue of each field is returned. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const errors = new Map<string, string>()
  for (const issue of issues) {
    const names =
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, ERRORS_LIMIT).map((key) => [...issue.path, key])
        : [issue.path]
    for (const name of names) {
      if (errors.size === ERRORS_LIMIT) break
      const field = (name.map(String).join('.') || 'body').slice(0, ERROR_TEXT_LIMIT)
      const message = issue.code === 'unrecognized_keys' ? 'There is no such field' : issue.message
      if (!errors.has(field)) errors.set(field, message)
    }
  }
  return [...errors].map(([field, message]) => ({ field, message }))
}

/**
 * Validates untrusted input.
 * @param otherErrors errors of checks outside the schema, so that the user sees all errors at once
 * @throws Refused with an error for each invalid field
 */
export function accept<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  otherErrors: FieldError[] = [],
): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success && otherErrors.length === 0) return result.data
  throw new Refused([...fieldErrors(result.error?.issues ?? []), ...otherErrors])
}

/**
 * Validates the query parameters of a page. Defaults replace invalid parameters, so that an incorrect or outdated link
 * still opens the page.
 */
export function acceptLeniently<Schema extends z.ZodType>(
  schema: Schema,
  input: Record<string, unknown>,
): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const unreadable = new Set(result.error.issues.map((issue) => String(issue.path[0])))
  return schema.parse(Object.fromEntries(Object.entries(input).filter(([key]) => !unreadable.has(key))))
}
