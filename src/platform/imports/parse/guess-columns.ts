import type { DataType } from '../../../../db/vocabulary'
import type { ImportKind } from '../kind'
import { importKind } from '../kinds'

/** Headings that offices use for a field beside its own name, in whole words without abbreviations. */
type OtherNames = NonNullable<ImportKind['headings']>

/** What offices call a vehicle, alone or before `number` or `id`. */
const UNITS = ['unit', 'vehicle', 'car', 'truck', 'asset']
/** The same, but only before `number` or `id`. */
const WITH_NUMBER = ['equipment', 'fleet', 'stock', 'inventory']

const EVERYWHERE: OtherNames = {
  unit_number: [...UNITS, ...[...UNITS, ...WITH_NUMBER].flatMap((unit) => [`${unit} number`, `${unit} id`])],
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
  ],
  ra_number: ['ra', 'rental agreement', 'rental agreement number'],
  notes: ['note', 'comment', 'comments', 'remark', 'remarks'],
}

const ABBREVIATIONS: Record<string, string> = {
  no: 'number',
  num: 'number',
  nr: 'number',
  '#': 'number',
  est: 'estimated',
  act: 'actual',
  loc: 'location',
  reg: 'registration',
  exp: 'expires',
  dt: 'date',
  veh: 'vehicle',
  equip: 'equipment',
  trans: 'transport',
  co: 'company',
  pu: 'pickup',
  amt: 'amount',
  tel: 'phone',
  whats: 'what is',
}

/** No name that is known is as long. */
const LONGEST = 100

/** `Est. Cost ($)` → `estimated cost`, `EquipID` → `equipment id`; what cannot be a heading is blank. */
const plainWords = (heading: string) =>
  heading
    .slice(0, LONGEST)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\([^()]*\)|[$']/g, '')
    .replace(/#/g, ' # ')
    .replace(/pick[ -]up/g, 'pickup')
    .replace(/date ?time/g, 'date')
    .split(/[^a-z0-9#]+/)
    .filter(Boolean)
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ')

/** The fields of a kind by their own names and by what offices call them. */
function headingsOf({ columns, headings }: ImportKind): Map<string, string> {
  const all: OtherNames = { ...EVERYWHERE, ...headings }
  return new Map(
    columns.flatMap(({ name }) => [name.replaceAll('_', ' '), ...(all[name] ?? [])].map((heading) => [heading, name])),
  )
}

const known = new Map<ImportKind, Map<string, string>>()

/**
 * The field that a heading most likely means, where somebody sees it before anything is written: `From` is the
 * location that a transport leaves.
 */
export const guessColumn = (heading: string, dataType: DataType): string | null =>
  known.getOrInsertComputed(importKind(dataType), headingsOf).get(plainWords(heading)) ?? null

/** At least this share of the words of a heading are those of a name that is known. */
const ALIKE = 0.5

/** Words that make a heading mean something else: a `Model No` is not a unit number, nor is a `VIN #`. */
const OTHER_THINGS = new Set(
  'body chassis color customer driver engine fuel lane license line make model name order owner phone plate postal registration row serial tag vin year zip'.split(
    ' ',
  ),
)

/** The noun of a heading: the last word, or the one before a preposition (`Date to the Pound`). */
const nounOf = (words: string[]) => {
  const end = words.findIndex((word) => ['to', 'of', 'in', 'at', 'for', 'from'].includes(word))
  return words[(end > 0 ? end : words.length) - 1]
}

/** The field that a heading may mean, for a question: `Tow Date` may be the move date. */
export function suggestColumn(heading: string, dataType: DataType): string | null {
  const list = plainWords(heading).split(' ').filter(Boolean)
  const words = new Set(list)
  const noun = nounOf(list)
  let best: { field: string; share: number } | null = null
  for (const [name, field] of known.getOrInsertComputed(importKind(dataType), headingsOf)) {
    const own = name.split(' ')
    if (nounOf(own) !== noun || list.length === 1) continue
    if (list.some((word) => OTHER_THINGS.has(word) && !own.includes(word))) continue
    const share = own.filter((word) => words.has(word)).length / Math.max(own.length, words.size)
    if (share >= ALIKE && share > (best?.share ?? 0)) best = { field, share }
  }
  return best?.field ?? null
}
