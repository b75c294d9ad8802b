import { z } from 'zod'
import { isCalendarDate } from './reading/dates'
import { readNumber, readUnitDigits } from './reading/numbers'
import { cleanLine, cleanText } from './reading/text'

/**
 * Building blocks of all validation rules. The rules accept both JSON values and form fields. Form fields are always
 * text. Text is trimmed, an empty optional field becomes `null`, and every error message is a sentence for the user.
 */

const trimmed = (value: unknown) => (typeof value === 'string' ? cleanText(value).trim() : value)
const blankToNull = (value: unknown) => {
  const text = trimmed(value)
  return text === '' ? null : text
}
export const blankToMissing = (value: unknown) => blankToNull(value) ?? undefined

/**
 * Postgres cannot store NUL or lone surrogates. Other control characters, except tabs and line breaks, are refused
 * because they only occur by accident.
 */
export const isStorable = (value: string) => value.isWellFormed() && !/(?![\t\n\r])\p{Cc}/u.test(value)
/** Required text must contain a visible character. A name of invisible characters looks empty. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u
const UNSTORABLE = 'Contains characters that cannot be stored'

const plainText = (max: number, expected?: string) =>
  z
    .string({ error: expected ?? 'Must be text' })
    .max(max, `At most ${max} characters`)
    .refine(isStorable, UNSTORABLE)

export const NOTES_LIMIT = 5000

export const optionalText = (max: number) => z.preprocess(blankToNull, plainText(max).nullable().default(null))

/** One line of required text, at most `max` characters. Line breaks and repeated spaces become one space. */
export const requiredText = (message: string, max: number, min = 1, tooShort = message) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? cleanLine(value) : value),
    plainText(max, message).min(1, message).min(min, tooShort).regex(VISIBLE, message),
  )

/**
 * One line of required text that is returned exactly as entered. It is validated by the same rules as `requiredText`.
 * Callers must clean the text with `cleanLine` before they store it.
 */
export const enteredText = (message: string, max: number) => {
  const rule = requiredText(message, max)
  return z
    .string({ error: message })
    .superRefine((text, context) => {
      for (const issue of rule.safeParse(text).error?.issues ?? []) context.addIssue(issue.message)
    })
    .meta({ maxLength: max })
}

export const requiredParagraph = (message: string, max: number, min = 1, tooShort = message) =>
  z.preprocess(trimmed, plainText(max, message).min(1, message).min(min, tooShort).regex(VISIBLE, message))

export const unitNumber = z.preprocess(
  (value) => (typeof value === 'string' ? readUnitDigits(value) : value),
  z.string({ error: '6 digits required' }).regex(/^[0-9]{6}$/, '6 digits required'),
)

export const asNumber = (value: unknown) => {
  const text = blankToNull(value)
  if (typeof text !== 'string') return text
  return readNumber(text) ?? text
}

const NOT_AN_AMOUNT = 'Must be an amount, for example 1250.50'
const MONEY_LIMIT = 9_999_999_999.99
/** Tolerates only the rounding errors of floating-point numbers, which are below a thousandth of a cent. */
const hasCents = (value: number) =>
  Math.abs(value * 100 - Math.round(value * 100)) < Math.max(1e-6, Math.abs(value) * 1e-13)

const amount = (missing = NOT_AN_AMOUNT) =>
  z
    .number({ error: ({ input }) => (isBlank(input) ? missing : NOT_AN_AMOUNT) })
    .min(0, 'Must not be negative')
    .max(MONEY_LIMIT, 'Is too large')
    .refine(hasCents, 'At most two decimals')

/** Accepts `$1,250.50`. An empty value becomes `null`. */
export const optionalMoney = z.preprocess(asNumber, amount().nullable().default(null))

export const requiredMoney = (message: string) => z.preprocess(asNumber, amount(message))

/** Accepts `12,500`. An empty value becomes `null`. */
export const optionalCount = (max = 2_147_483_647) =>
  z.preprocess(
    asNumber,
    z
      .number({ error: 'Must be a whole number' })
      .int('Must be a whole number')
      .min(0, 'Must not be negative')
      .max(max, 'Is too large')
      .nullable()
      .default(null),
  )

export const countOr = (fallback: number, max: number) =>
  z.preprocess(
    (value) => asNumber(blankToMissing(value)) ?? undefined,
    z
      .number({ error: 'Must be a whole number' })
      .int('Must be a whole number')
      .min(0, 'Must not be negative')
      .max(max, 'Is too large')
      .default(fallback),
  )

export const optionalTenths = z.preprocess(
  asNumber,
  z
    .number({ error: 'Must be a number' })
    .min(0, 'Must not be negative')
    .max(999_999_999, 'Is too large')
    .refine((value) => Math.abs(value * 10 - Math.round(value * 10)) < 1e-6, 'At most one decimal')
    .nullable()
    .default(null),
)

const NOT_A_DATE = 'Must be a date, for example 2026-01-31'
const isBlank = (value: unknown) => value === undefined || value === null || value === ''

const calendarDate = (expected: string) =>
  z
    .string({ error: ({ input }) => (isBlank(input) ? expected : NOT_A_DATE) })
    .min(1, expected)
    .refine(isCalendarDate, NOT_A_DATE)
    .meta({ format: 'date' })

/** A calendar date as `YYYY-MM-DD`, without a time zone. */
export const requiredDate = (message: string) => z.preprocess(trimmed, calendarDate(message))
export const optionalDate = z.preprocess(blankToNull, calendarDate(NOT_A_DATE).nullable().default(null))

const CHOOSE = 'Choose one from the list'

const positiveId = (missing: string, wrong = missing) =>
  z
    .number({ error: ({ input }) => (isBlank(input) ? missing : wrong) })
    .int(wrong)
    .min(1, wrong)
    .max(2_147_483_647, wrong)

/** The id of a record chosen from a list. An empty value becomes `null`. */
export const optionalChoiceOf = z.preprocess(asNumber, positiveId(CHOOSE).nullable().default(null))

export const requiredChoiceOf = (message: string) => z.preprocess(asNumber, positiveId(message, CHOOSE))

/** A list filter by record id. An empty value becomes `null`, which selects all records. */
export const optionalIdFilter = z.preprocess(
  (value) => (isBlank(value) ? null : asNumber(value)),
  positiveId('Must be the id of a record').nullable(),
)

/**
 * A choice whose allowed values depend on the registered features. The validation rule is created only at its first
 * use, because all features are registered by that time.
 */
export const choiceAmong = <Rule extends z.ZodType>(
  words: () => string[],
  rule: (words: [string, ...string[]]) => Rule,
) => z.lazy(() => rule(words() as [string, ...string[]]))

export const choice = <const Words extends readonly [string, ...string[]]>(words: Words, message: string) =>
  z.preprocess(
    trimmed,
    z.enum(words, { error: ({ input }) => (isBlank(input) ? message : `Must be one of: ${words.join(', ')}`) }),
  )
export const choiceOr = <const Words extends readonly [string, ...string[]]>(words: Words, fallback: Words[number]) =>
  z.preprocess(
    blankToMissing,
    z.enum(words, { error: `Must be one of: ${words.join(', ')}` }).default(fallback as never),
  )
/**
 * A choice that has the value `fallback` if the field is missing. An empty value is refused, because a form or client
 * that clears the field has made a mistake.
 */
export const choiceUnlessMissing = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  fallback: Words[number],
  message: string,
) =>
  // Do not remove this `preprocess`, although it returns the value unchanged. Without it, a change to a record would
  // set the field to its default if the request omits the field (see `changeOf`).
  z.preprocess((value) => value, choice(words, message).default(fallback as never))

export const optionalChoice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.preprocess(
    blankToNull,
    z
      .enum(words, { error: `Must be one of: ${words.join(', ')}` })
      .nullable()
      .default(null),
  )

const asYesNo = (value: unknown) => {
  const text = trimmed(value)
  if (text === 'true' || text === 'on' || text === '1') return true
  if (text === 'false' || text === 'off' || text === '0') return false
  return blankToMissing(text)
}

export const yesNo = (fallback: boolean) =>
  z.preprocess(asYesNo, z.boolean({ error: 'Must be true or false' }).default(fallback))

export const optionalYesNo = z.preprocess(asYesNo, z.boolean({ error: 'Must be true or false' }).optional())

/** The id of a record in another system. It is unique per kind of record. */
export const externalId = optionalText(100)

/** Only a basic format check. An empty value becomes `null`. */
export const optionalEmail = (max: number) =>
  z.preprocess(
    blankToNull,
    plainText(max)
      .regex(/^[^\s@]+@[^\s@]+$/, 'Must be an e-mail address')
      .nullable()
      .default(null),
  )

/** Version of the record that the client has read. If omitted, the change is made without a version check. */
export const version = z.preprocess(
  (value) => asNumber(blankToMissing(value)),
  positiveId('Must be the version number of the record').optional(),
)

export const versionOnly = z.object({ version }).optional()

export const idParams = z.object({ id: z.preprocess(asNumber, positiveId('Unknown id')) })

/**
 * Derives the rules for a change from the rules for a record. Every field is optional, and `version` is added. An empty
 * value for a field with a default, such as a status, does not change the stored value.
 */
export function changeOf<Shape extends z.core.$ZodLooseShape>(rules: z.ZodObject<Shape>) {
  const isDefaulted = (field: z.core.$ZodType) => {
    // Rules that are created at their first use cannot be evaluated before all features are registered. None of these
    // rules has a default.
    if (field instanceof z.ZodLazy) return false
    const missing = z.safeParse(field, undefined)
    // If the field's rule refuses empty values, keep an empty value in the request, so that the rule reports the error.
    return missing.success && missing.data !== null && z.safeParse(field, '').success
  }
  const defaulted = new Set(Object.entries(rules.shape).flatMap(([name, field]) => (isDefaulted(field) ? [name] : [])))
  const withoutBlanks = (body: unknown) =>
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? Object.fromEntries(
          Object.entries(body).filter(([name, value]) => !(defaulted.has(name) && isBlank(trimmed(value)))),
        )
      : body
  return z.preprocess(withoutBlanks, rules.partial().extend({ version }))
}

const NOT_AN_INSTANT = 'Must be a date and time with a zone, for example 2026-11-23T14:05:00Z'

const [FIRST_YEAR, LAST_YEAR] = [1970, 9999]

export const instant = z
  .string({ error: NOT_AN_INSTANT })
  .max(40, NOT_AN_INSTANT)
  .datetime({ offset: true, error: NOT_AN_INSTANT })
  .transform((text) => new Date(text))
  .refine(
    (at) => at.getUTCFullYear() >= FIRST_YEAR && at.getUTCFullYear() < LAST_YEAR,
    'Must be a year from 1970 to 9998',
  )
