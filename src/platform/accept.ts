import type { z } from 'zod'
import { type FieldError, Refusal, Refused } from './refusals'

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
 * @throws Refused with an error for each invalid field
 */
export function accept<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw new Refused(fieldErrors(result.error.issues))
}

type Results<Checks extends readonly (() => unknown)[]> = {
  -readonly [Index in keyof Checks]: Awaited<ReturnType<Checks[Index]>>
}

/**
 * Runs all checks and returns their results, so that the user sees all errors at once.
 * @throws Refused with the first error of each field. If only one check fails, its refusal is thrown unchanged. A
 * refusal that belongs to no field, such as too many attempts, is thrown instead of all others.
 */
export async function checkAll<const Checks extends readonly (() => unknown)[]>(
  ...checks: Checks
): Promise<Results<Checks>> {
  const results: unknown[] = []
  const refusals: Refusal[] = []
  for (const check of checks) {
    try {
      results.push(await check())
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(error)
    }
  }
  if (refusals.length === 0) return results as Results<Checks>
  const withoutField = refusals.find(({ errors }) => !errors)
  if (withoutField || refusals.length === 1) throw withoutField ?? refusals[0]
  const errors = new Map<string, FieldError>()
  for (const error of refusals.flatMap(({ errors }) => errors ?? []))
    if (!errors.has(error.field)) errors.set(error.field, error)
  throw new Refused([...errors.values()])
}

/**
 * Validates the untrusted input of a form. If a field is invalid, also runs `check` on the values of the valid fields,
 * so that the user sees all errors at once. Values of invalid fields are missing, although the type says otherwise. The
 * check does not run on valid input, because the function that saves the input makes the same check.
 * @throws Refused with the first error of each field, in the order of the schema
 */
export async function acceptForm<Schema extends z.ZodObject>(
  schema: Schema,
  input: Record<string, unknown>,
  check: (values: z.output<Schema>) => unknown,
): Promise<z.output<Schema>> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const valid = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const { success, data } = field.safeParse(input[name])
    return success ? [[name, data]] : []
  })
  const position = ({ field }: FieldError) => Object.keys(schema.shape).indexOf(field)
  try {
    const [values] = await checkAll(
      () => accept(schema, input),
      () => check(Object.fromEntries(valid)),
    )
    return values
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new Refused((error.errors ?? []).toSorted((a, b) => position(a) - position(b)))
  }
}

/**
 * Validates the untrusted input of a form that changes a record. The form has all fields of the record. Like
 * `acceptForm`, also runs `check` if a field is invalid.
 * @param changes rules for the change
 * @param rules rules for the whole record
 * @throws Refused with the first error of each field, in the order of the rules
 */
export async function acceptChange<Changes extends z.ZodType, Rules extends z.ZodObject>(
  { changes, rules }: { changes: Changes; rules: Rules },
  input: Record<string, unknown>,
  check: (values: z.output<Rules>) => unknown,
): Promise<z.output<Changes>> {
  if (!changes.safeParse(input).success) await acceptForm(rules, input, check)
  return accept(changes, input)
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
