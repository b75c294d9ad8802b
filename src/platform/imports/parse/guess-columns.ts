import type { DataType } from '../../../../db/vocabulary'
import type { ImportKind } from '../kind'
import { columnOf, importKind } from '../kinds'
import { MAX_HEADING_LENGTH, plainWords } from './heading-words'
import { isOtherMeasure } from './measures'

/**
 * Common headings of each field, in addition to the field's name. The headings are written without abbreviations,
 * because abbreviations in a file's headings are expanded before the comparison.
 */
type OtherNames = NonNullable<ImportKind['headings']>

const UNITS = ['unit', 'vehicle', 'car', 'truck', 'asset']
const WITH_NUMBER = ['equipment', 'fleet', 'stock', 'inventory']

const EVERYWHERE: OtherNames = {
  unit_number: [
    'unit moved',
    'vehicle moved',
    'unit hauled',
    'vehicle hauled',
    ...UNITS,
    ...[...UNITS, ...WITH_NUMBER].flatMap((unit) => [`${unit} number`, `${unit} id`]),
    'units',
    'vehicle unit',
    'vehicle unit number',
    'unit asset',
    'unit or asset',
    'fleet unit',
    'fleet unit number',
    'asset tag',
    'unit vin',
    'vehicle vin',
  ],
  location: [
    'hub',
    'site',
    'branch',
    'yard',
    'lot',
    'location name',
    'location code',
    'current location',
    'storage location',
    'storage yard',
    'lot location',
    'yard name',
    'garaged',
    'garaged at',
    'garage location',
    'home location',
    'assigned location',
    'current lot',
    'current yard',
    'where kept',
    'kept at',
    'parked at',
    'stored at',
  ],
  ra_number: [
    'ra',
    'rental agreement',
    'rental agreement number',
    'agreement',
    'agreement number',
    'rental contract',
    'contract number',
  ],
  notes: [
    'note',
    'comment',
    'comments',
    'remark',
    'remarks',
    'memo',
    'info',
    'additional info',
    'misc',
    'instructions',
    'special instructions',
  ],
}

const VAGUE_WORDS = [
  'vehicle|car|truck|date|date out|contact|amount|cost|name|po|company|vendor',
  'description|branch|site|hub|rate|price|miles|out|in|pickup|drop off|dropoff|sent|mailed',
  'registration number|license|tag|tag number|start date|end date',
  'memo|info|additional info|misc|instructions|special instructions|details|latest|update|progress|follow up|agreement',
].join('|')
/** Matches headings of planned or original values, such as `Move Date (planned)`. */
const NOT_CURRENT = /\((?:[^()]*\W)?(?:planned|sched(?:uled)?|orig(?:inal)?|budget|expected|next \w+)\b[^()]*\)/i
const VAGUE = new RegExp(`\\b(?:stock|inventory|equipment|fleet|asset|lot)\\b|^(?:${VAGUE_WORDS})$`)
/**
 * Returns true for a vague heading, such as `Truck`.
 * A vague heading means a field only if no other column has a clearer heading, such as `Unit`.
 */
export const isVague = (heading: string): boolean =>
  VAGUE.test(plainWords(heading)) || NOT_CURRENT.test(heading.slice(0, MAX_HEADING_LENGTH))

/**
 * Returns true for a heading such as `Truck #`. If the file also has a column such as `Vehicle`, the truck is not the
 * moved vehicle, but the one that tows or carries it.
 */
export const isTruck = (heading: string): boolean =>
  /^(?:tow )?(?:truck|tractor)(?: number| id)?$/.test(plainWords(heading))

/**
 * Returns true if a column such as `Miles` contains trip distances.
 * Otherwise, the column contains odometer readings. Trip distances are assumed if the values are small (`areSmall`), or
 * if another column of the file is a rate, such as `Rate per mile`.
 */
export const isTripDistance = (heading: string, header: string[], dataType: DataType, areSmall: boolean): boolean =>
  dataType === 'transports' &&
  /^(?:total |trip )?miles$/.test(plainWords(heading)) &&
  (areSmall || header.some((other) => /\brate\b|\bper mi|\/ ?mi|\brpm\b/i.test(other.slice(0, MAX_HEADING_LENGTH))))

function headingsOf({ columns, headings, split }: ImportKind): Map<string, string> {
  return new Map([
    ...columns.flatMap(({ name }) =>
      [name.replaceAll('_', ' '), ...(EVERYWHERE[name] ?? []), ...(headings?.[name] ?? [])].map(
        (heading): [string, string] => [heading, name],
      ),
    ),
    // `splitHeadings` replaces a heading such as `route` with `route from` and `route to`.
    ...(split?.headings ?? []).flatMap((heading) =>
      split!.parts.map((part, at): [string, string] => [`${heading} ${part}`, split!.into[at] as string]),
    ),
  ])
}

const headingCache = new Map<ImportKind, Map<string, string>>()

/**
 * Returns the field that a heading commonly means, or null. For example, `From` is the location that a transport
 * leaves.
 */
export const guessColumn = (heading: string, dataType: DataType): string | null => {
  const field = fieldNamed(heading, dataType)
  // Headings that begin with `old` or `previous` usually mark outdated values. An exception is a heading that is listed
  // for a field. For example, `Previous Location` is listed for the location that a transport leaves.
  if (field && /^(?:old|previous) /.test(plainWords(heading))) return field
  return field && !isOtherMeasure(heading, columnOf(dataType, field)) ? field : null
}

/**
 * Returns the field that a heading commonly means. Unlike `guessColumn`, it does not check whether the heading shows
 * that the values are out of date or in a different unit of measure.
 */
export const fieldNamed = (heading: string, dataType: DataType): string | null =>
  headingCache.getOrInsertComputed(importKind(dataType), headingsOf).get(plainWords(heading)) ?? null

/**
 * Returns the field for the heading of a column of dates.
 * For example, `delivered` means the arrival date of a transport.
 */
export const datedColumn = (heading: string, dataType: DataType): string | null =>
  importKind(dataType).datedHeadings?.[plainWords(heading)] ?? null

const CANCELLED = /^(?:cancel|cancell?ed|cancellation|cxl|void|voided)$/
/** Used only for kinds of records that are always imported as open. */
const FINISHED = ['done', 'closed', 'finished', 'complete', 'completed']

/** Returns true if a column shows which records are finished or cancelled. */
export const meansFinished = (heading: string, dataType: DataType): boolean => {
  const words = plainWords(heading)
  // Remove words that do not change the meaning, as in `Date Fixed`, `Fixed On` and `Actual Return Date`.
  const core = words.replace(/^(?:(?:is|date|actual) )+/, '').replace(/(?: (?:date|on))+$/, '')
  const { finished } = importKind(dataType)
  return CANCELLED.test(core) || [words, core].some((text) => finished && [...FINISHED, ...finished].includes(text))
}

/** Minimum share of words in common with a known heading. The share is from 0 to 1. Below it, no field is suggested. */
const MIN_SHARED_WORDS = 0.5

/**
 * Words that change the meaning of a heading. For example, `Vehicle Number` means the unit number, but `Vehicle Model
 * Number` does not.
 */
const OTHER_THINGS = new Set(
  (
    'body chassis color customer driver engine fuel lane license line make model name order owner phone ' +
    'plate postal registration row serial tag vin year zip'
  ).split(' '),
)

/**
 * Nouns that occur in many headings. Headings that share only such a noun, such as `Unit Number` and `PO Number`, have
 * different meanings.
 */
const GENERAL_NOUNS = new Set(['code', 'id', 'name', 'number'])

/**
 * Returns the noun of a heading.
 * The noun is the last word, or the word before a preposition, such as `Date` in `Date to the Pound` and `Left` in
 * `Left on`.
 */
const nounOf = (words: string[]) => {
  const end = words.findIndex((word) => ['to', 'of', 'in', 'on', 'at', 'for', 'from', 'by'].includes(word))
  return words[(end > 0 ? end : words.length) - 1]
}

/** Returns the field to suggest for an unknown heading, or null. For example, `Tow Date` may be the move date. */
export function suggestColumn(heading: string, dataType: DataType): string | null {
  const direct = importKind(dataType).suggestedHeadings?.[plainWords(heading)]
  if (direct) return direct
  const list = plainWords(heading).split(' ').filter(Boolean)
  const words = new Set(list)
  const noun = nounOf(list)
  let best: { field: string; share: number } | null = null
  for (const [name, field] of headingCache.getOrInsertComputed(importKind(dataType), headingsOf)) {
    const own = name.split(' ')
    if (nounOf(own) !== noun || list.length === 1) continue
    if (list.some((word) => OTHER_THINGS.has(word) && !own.includes(word))) continue
    const common = own.filter((word) => words.has(word))
    if (common.every((word) => GENERAL_NOUNS.has(word))) continue
    const share = common.length / Math.max(own.length, words.size)
    if (share >= MIN_SHARED_WORDS && share > (best?.share ?? 0)) best = { field, share }
  }
  return best && !isOtherMeasure(heading, columnOf(dataType, best.field)) ? best.field : null
}
