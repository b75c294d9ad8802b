import { distance } from 'fastest-levenshtein'
import type { Found } from '../../../db/schema'
import { DATA_TYPES, type DataType } from '../../../db/vocabulary'
import { MAX_NAME_QUESTIONS } from '../../../views/imports/name-questions'
import type { Suggestions } from '../../../views/imports/question-props'
import type { AppContext } from '../context'
import { kinds } from '../kinds'
import { readNumber } from '../reading/numbers'
import { wordKey } from '../reading/text'
import type { ImportColumn } from './kind'
import { columnOf, fieldsOf, importKind } from './kinds'
import { type CompanyNames, isTypo, type LocationNames, suggestMatches } from './name-suggestions'
import type { NameLookup } from './names'
import { areAmounts, guessByValues, hasDates, optionalByValues } from './parse/guess-by-values'
import { meansFinished, suggestColumn } from './parse/guess-columns'
import { plainWords } from './parse/heading-words'
import { isOtherMeasure } from './parse/measures'
import { placeColumns } from './parse/place-columns'
import { nearestWord } from './parse/read-field'
import { type Decisions, decisionsOn, type Upload } from './queries'
import { allRememberedColumns, importNames } from './remembered-names'

/** Minimum length of an abbreviation, such as `Renew` for `Renewal`. */
const BEGINNING = 4

/**
 * Minimum length of a word that can have two wrong letters. An example is `Delivrd`. Two wrong letters are acceptable,
 * because a list has only a few values.
 */
const MISSPELT = 6

const isMeant = (text: string, word: string) =>
  isTypo(text, word) ||
  (text.length >= BEGINNING && word.startsWith(text)) ||
  (text.length >= MISSPELT && distance(text, word) <= 2)

function meantWord(text: string, column: ImportColumn | undefined): string | undefined {
  const key = wordKey(text)
  const [other] = Object.entries(column?.otherWords ?? {}).find(([, others]) => others.includes(key)) ?? []
  const word = other ?? nearestWord(text, column?.words)
  return word && (word === other || isMeant(key, wordKey(word))) ? word : undefined
}

type SuggestionContext = {
  today: string
  names: NameLookup
  locations: LocationNames[]
  companies: CompanyNames[]
  /** Fields that users chose for headings in earlier files, by data type. */
  remembered: Map<DataType, Map<string, string>>
  /** Decisions of the user about this file. The program suggests nothing that the user has decided. */
  decisions: Decisions
}

type Asking = Pick<Upload, 'id' | 'data_type' | 'found' | 'new_names'>

export async function suggestAnswers(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  upload: Asking,
): Promise<Suggestions> {
  const [locations, companies, remembered, decisions, names] = await Promise.all([
    kinds('places').location.active(db),
    kinds('places').company.active(db),
    allRememberedColumns(db),
    decisionsOn(db, upload.id),
    importNames(db, upload.data_type),
  ])
  return suggestFrom(upload, { locations, companies, remembered, decisions, names, today: clock.today() })
}

/**
 * Returns true if an import must wait for the user. This is the case if
 * - the program can suggest what an unknown name, word or column means,
 * - another data type matches the file better,
 * - the dates of a column contradict each other, or two columns for the same field contradict each other,
 * - some records are already finished, so that the user must decide whether to import them, or
 * - some descriptions of problems are too short, so that the user must decide whether to import them with a prefix.
 */
export function hasLikelyAnswers({ names, words, columns, data_type }: Suggestions, found: Found | null): boolean {
  const hasLikelyName = Object.values(names).some(({ isLikely }) => isLikely)
  const areDatesContradicted = found?.dates.some(({ is_contradicted }) => is_contradicted) ?? false
  const isContested = (found?.contested?.length ?? 0) > 0
  const hasWords = Object.keys(words).length > 0
  if ([found?.finished_rows, found?.doubtful_rows, found?.short_rows].some((rows = 0) => rows > 0)) return true
  return hasLikelyName || areDatesContradicted || isContested || data_type !== null || hasWords || columns.some(Boolean)
}

function suggestFrom({ data_type, found, new_names }: Asking, context: SuggestionContext): Suggestions {
  const { hasChosenColumns, hasDecidedConflicts } = context.decisions
  const names = suggestMatches(
    [...new_names, ...(found?.names ?? [])].slice(0, MAX_NAME_QUESTIONS),
    context.locations,
    context.companies,
  )
  const words = (found?.words ?? []).flatMap(({ field, text }) => {
    const word = meantWord(text, columnOf(data_type, field))
    return word ? [[`${field} ${text}`, word]] : []
  })
  const open = new Set(fieldsOf(data_type).filter((field) => !found?.fields.includes(field)))
  const columns = (found?.header ?? []).map((heading, at) => {
    const samples = found?.samples[at] ?? []
    const suggested =
      found?.fields[at] || hasChosenColumns || meansFinished(heading, data_type)
        ? null
        : isFeeHeading(heading, data_type)
          ? chargedField(samples, data_type)
          : suggestColumn(heading, data_type)
    // Suggest date fields for columns that contain dates, and other fields for all other columns. For example, the
    // heading `Reason Out` resembles the heading of a date field, but the column contains text.
    const isDate = suggested !== null && columnOf(data_type, suggested)?.kind === 'date'
    const isUnlike = suggested && samples.length > 0 && isDate !== hasDates(samples, context.today)
    const field = isUnlike ? null : suggested
    const isFree = field !== null && (open.delete(field) || columnOf(data_type, field)?.joins === true)
    return isFree ? field : null
  })
  if (found && !hasChosenColumns) suggestByValues(data_type, found, columns, context)
  const other = otherDataType(data_type, found, context.remembered)
  const skip_conflicts = (found?.finished_rows ?? 0) > 0 && !hasDecidedConflicts
  return {
    names,
    words: Object.fromEntries(words),
    columns,
    data_type: other,
    skip_conflicts,
    asks_conflicts: !hasDecidedConflicts,
  }
}

/** Highest usual storage fee for one day, in dollars. A higher fee is probably for a month or for the whole stay. */
const USUAL_DAILY_FEE = 75

/** Returns true for a heading such as `Storage fee`. Its column usually contains Yes or No. */
const isFeeHeading = (heading: string, dataType: DataType): boolean =>
  importKind(dataType).denied?.headings.includes(plainWords(heading)) ?? false

/**
 * Returns the field for daily fees, or null. A column such as `Storage fee` can contain amounts per day, such as
 * `$22.50`.
 */
function chargedField(samples: string[], dataType: DataType): string | null {
  const areDaily = areAmounts(samples) && samples.every((text) => (readNumber(text) ?? 0) <= USUAL_DAILY_FEE)
  return areDaily ? (importKind(dataType).denied?.field ?? null) : null
}

/** Suggests fields for columns by their values instead of their headings. Adds the suggested fields to `columns`. */
function suggestByValues(
  dataType: DataType,
  found: Found,
  columns: (string | null)[],
  { today, names }: SuggestionContext,
): void {
  const optional = optionalByValues(dataType).filter((field) => !found.fields.includes(field))
  const missingFields = [...found.missing, ...optional].filter((field) => !columns.includes(field))
  const unused = found.samples.flatMap((samples, at) =>
    found.fields[at] ||
    columns[at] ||
    isOtherMeasure(found.header[at] ?? '', undefined) ||
    meansFinished(found.header[at] ?? '', dataType)
      ? []
      : [{ at, heading: found.header[at] ?? '', samples }],
  )
  const reading = { today, names, dateOrders: {}, date1904: false, withoutSuggestions: true }
  for (const [at, field] of guessByValues(dataType, missingFields, unused, reading)) columns[at] = field
}

/**
 * A suggested data type must match at least this many more columns. If the file lacks required columns of the chosen
 * type, one more column is enough.
 */
const BETTER = 2

function otherDataType(
  chosen: DataType,
  found: Found | null,
  remembered: SuggestionContext['remembered'],
): DataType | null {
  if (!found) return null
  const used = (fields: (string | null)[]) => fields.filter(Boolean).length
  const least = used(found.fields) + (found.missing.length > 0 ? 1 : BETTER)
  const others = DATA_TYPES.filter((type) => type !== chosen)
    .map((type) => ({ type, ...placeColumns(found.header, type, { remembered: remembered.get(type) }) }))
    .filter(({ fields, missing }) => used(fields) >= least && (missing.length === 0 || used(fields) >= least + BETTER))
    .sort((a, b) => used(b.fields) - used(a.fields))
  return others[0]?.type ?? null
}
