import type { OslStatus } from '../../../db/vocabulary'
import { isNegated } from '../../platform/imports/parse/read-field'
import { wordKey } from '../../platform/reading/text'

const FUEL_SPELLINGS: Record<string, string> = {
  f: 'Full',
  '4/4': 'Full',
  '8/8': 'Full',
  '7/8': 'Full',
  '6/8': '3/4',
  '5/8': '3/4',
  '2/4': '1/2',
  '4/8': '1/2',
  '3/8': '1/2',
  '2/8': '1/4',
  '1/8': '1/4',
  '1': 'Full',
  '100%': 'Full',
  '¾': '3/4',
  '4-mar': '3/4',
  '75%': '3/4',
  '0.75': '3/4',
  '.75': '3/4',
  '½': '1/2',
  '2-jan': '1/2',
  half: '1/2',
  '50%': '1/2',
  '0.5': '1/2',
  '.5': '1/2',
  '¼': '1/4',
  '4-jan': '1/4',
  '25%': '1/4',
  '0.25': '1/4',
  '.25': '1/4',
  e: 'Empty',
  '0%': 'Empty',
}
/**
 * Converts a spelling of a fuel level to a listed level. For example, `50%` becomes `1/2`. Odd eighths are rounded up.
 * Also converts `0.5` and `2-Jan`, because Excel stores 1/2 as a number or a date.
 */
export const readFuel = (text: string) => {
  const bare = text.trim().replace(/ tank$/i, '')
  return FUEL_SPELLINGS[bare.toLowerCase()] ?? bare
}

/** Reads text such as `101544 - brake warning light stays on`. Returns the unit number and the problem. */
export function readUnitAndProblem(text: string): [string, string] {
  const [, unit, problem] = /^((?:unit\s*)?#?\s*\d{6})(?!\d)[\s:;,.–—-]+(.+)$/i.exec(text) ?? []
  return unit && problem ? [unit, problem] : [text, '']
}

export const OPEN_STATUSES = ['Out of Service', 'Awaiting Parts', 'In Repair', 'Ready'] as const satisfies OslStatus[]

/**
 * Patterns that convert a status to an open status. For example, `back order` becomes Awaiting Parts. The first pattern
 * that matches applies.
 */
const STATUS_PATTERNS: [RegExp, (typeof OPEN_STATUSES)[number]][] = [
  [/\bparts?\b|back.?order/i, 'Awaiting Parts'],
  [/\b(?:repair|repairing|shop|mechanic|body shop|in (?:progress|process)|wip|work(?:ing)?)\b/i, 'In Repair'],
  [/^(?:down|oos|open|active|pending|in (?:yard|lot)|(?:not|still|waiting)\b.*)$/i, 'Out of Service'],
]

/** Matches finished statuses, such as `Released` or `Back in service`. */
export const FINISHED_STATUS = new RegExp(
  [
    "complete|\\bcomp\\b|\\bdone\\b|released|\\br(?:el|ls)'?d\\b|closed|\\bret'?d\\b|\\brt[rs]\\b|fixed|repaired",
    'returned(?! to (?:the )?(?:\\w+ )?(?:vendor|shop|dealer))',
    'back on (?:the )?road|\\bon the road|sold|auctioned|rented|available|ready to rent|picked up|\\bp/u\\b|on rent',
    '(?<!not )\\b(?:in|back in) (?:service|svc|fleet)|\\brfs\\b|rent ready|^total(?:ed| loss)|\\bdonated|^up \\d',
  ].join('|'),
  'i',
)

/**
 * Converts a status to an open status of an entry. For example, `Waiting on parts` becomes Awaiting Parts. Returns an
 * empty text for a finished or unknown status. The importer then adds a note to the row.
 */
export function readStatus(text: string): string {
  const own = OPEN_STATUSES.find((status) => wordKey(status) === wordKey(text))
  if (own) return own
  if (/^ready\b(?! to rent)/i.test(text)) return 'Ready'
  if (FINISHED_STATUS.test(text) && !isNegated(text)) return ''
  return STATUS_PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? ''
}
