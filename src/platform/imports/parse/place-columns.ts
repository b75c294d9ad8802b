import type { DataType, ImportMode } from '../../../../db/vocabulary'
import { fieldLabel } from '../../field-label'
import type { ColumnKind, ImportColumn, ImportKind } from '../kind'
import { columnOf, fieldsOf, importKind } from '../kinds'
import { isHeading } from '../spreadsheet/read-sheet'
import {
  datedColumn,
  fieldNamed,
  guessColumn,
  isTripDistance,
  isTruck,
  isVague,
  meansFinished,
  suggestColumn,
} from './guess-columns'
import { headerKey, rememberedKey } from './heading-keys'
import { plainWords } from './heading-words'
import { isOtherMeasure } from './measures'

const shortenHeading = (text: string) => text.trim().slice(0, 100).toWellFormed()

/**
 * Headings of the columns added to a workbook of failed rows.
 * The importer ignores these columns when the user uploads the corrected workbook.
 */
export const FAILED_COLUMNS = { row: 'Row', reason: 'Reason' } as const

/**
 * Returns the headings `Row` and `Reason` if they are side by side.
 * They are side by side in a workbook of failed rows. Otherwise, the columns are the user's own, and the result is
 * empty.
 */
function addedColumns(header: string[]): Set<string> {
  const names = Object.values<string>(FAILED_COLUMNS)
  const found = header.map((text) => text.trim())
  const first = found.indexOf(FAILED_COLUMNS.row)
  return new Set(first >= 0 && found[first + 1] === FAILED_COLUMNS.reason ? names : [])
}

const requiredOf = (dataType: DataType) =>
  importKind(dataType).columns.flatMap(({ name, isRequired }) => (isRequired ? [name] : []))

/**
 * Returns true if every row needs a value in this column.
 * An import that updates existing records needs only the columns that identify a record, such as the unit number. If
 * any other column is missing, the existing records keep their values.
 */
export const needsValue = (kind: ImportKind, { name, isRequired }: ImportColumn, existing: ImportMode) =>
  isRequired && (existing === 'skip' || kind.key.includes(name))

/**
 * Returns the field that a heading names, or null. Does not use the fields that users chose for headings in earlier
 * files.
 */
export function fieldOfHeading(heading: string, dataType: DataType): string | null {
  const key = headerKey(heading)
  if (!key) return null
  return fieldsOf(dataType).find((field) => headerKey(field) === key) ?? guessColumn(heading, dataType)
}

export function namesOwnColumns(header: string[], dataType: DataType): boolean {
  const own = new Set(fieldsOf(dataType).map(headerKey))
  return header.some((text) => own.has(headerKey(text)))
}

export type ColumnPlacement = {
  /** Field of each column in the file. Null means that the column is ignored. */
  fields: (string | null)[]
  /** Fields that every row needs, without a column or a default. */
  missing: string[]
  /** Fields that are named by two columns with different values. The user must confirm which column to read. */
  contested: string[]
  warnings: string[]
}

type PlacementHints = {
  /** Fields that users chose in earlier files. The keys are headings, normalized by `rememberedKey`. */
  remembered?: Map<string, string>
  /**
   * Fields that the user chose for the columns of this file. They override field names, remembered fields and guesses.
   */
  choices?: (string | null)[] | null
  defaults?: Record<string, string>
  existing?: ImportMode
  /**
   * Returns true if the first values of a column are dates.
   * In such a column, a heading such as `Pickup` does not mean a location.
   */
  hasDates?: (at: number) => boolean
  hasUnits?: (at: number) => boolean
  hasTrips?: (at: number) => boolean
  differ?: (at: number, other: number) => boolean
  /** Returns the position of the column with the earliest dates. Returns -1 on a tie. */
  earliestOf?: (positions: number[]) => number
  /** Positions of hidden columns. A visible column with the same field takes precedence. */
  hidden?: Set<number>
}

/** Matches the heading of a column with VINs. The importer can read VINs if the file has no unit numbers. */
const VIN = /^(?:full )?(?:vin|vehicle identification)(?: number)?$/
export const isVinHeading = (heading: string): boolean => VIN.test(plainWords(heading))

const PLACES: ColumnKind[] = ['location', 'company']
const WITHOUT_DATES: ColumnKind[] = [...PLACES, 'unit', 'word', 'flag', 'money', 'count']
const AMOUNTS: ColumnKind[] = ['money', 'count']

/**
 * Minimum number of repeated columns that count as a second table.
 * The columns repeat the fields of earlier columns. The user gets a warning that the second table is not read.
 */
const BESIDE_COLUMNS = 3

/**
 * Assigns a field to each column of a file. The user's choices come first.
 * Without a choice, the heading is compared with the field names, then with headings from earlier files, then with
 * common headings.
 */
export function placeColumns(
  header: string[],
  dataType: DataType,
  {
    remembered,
    choices,
    defaults = {},
    existing = 'skip',
    hasDates = () => false,
    hasUnits = () => false,
    hasTrips = () => false,
    earliestOf = () => -1,
    differ = () => false,
    hidden = new Set(),
  }: PlacementHints = {},
): ColumnPlacement {
  const own = new Map(fieldsOf(dataType).map((field) => [headerKey(field), field]))
  const warnings: string[] = []
  const usedFields = new Set<string>()
  const preferVisible = (fields: (string | null)[]) =>
    fields.map((field, at) =>
      hidden.has(at) && fields.some((other, index) => other === field && !hidden.has(index)) ? null : field,
    )
  const nameField = (text: string) => {
    const field = own.get(headerKey(text))
    return field && !isOtherMeasure(text, columnOf(dataType, field)) ? field : null
  }
  const namedFields = header.map(nameField)
  /**
   * Removes the fields of vague headings, such as `Move Date (planned)`.
   * Applies only if a clearer heading names the same field.
   */
  const preferClear = (fields: (string | null)[]) =>
    fields.map((field, at) =>
      isVague(header[at] ?? '') && fields.some((other, index) => other === field && !isVague(header[index] ?? ''))
        ? null
        : field,
    )
  const named = choices ? header.map((_, at) => choices[at] ?? null) : preferVisible(preferClear(namedFields))
  // A heading that is exactly the name of a field gets that field. If the user assigned the field to a different
  // heading in an earlier file, that heading does not get it.
  // A remembered field that cannot contain dates is not used for a column of dates. For example, `Delivered` can be a
  // column of check marks in one file and a column of dates in the next.
  const cannotBeDates = (field: string) => WITHOUT_DATES.includes(columnOf(dataType, field)?.kind ?? 'text')
  const isJoined = (field: string | null) => field !== null && columnOf(dataType, field)?.joins === true
  const rememberedField = (text: string) => (choices ? null : (remembered?.get(rememberedKey(text)) ?? null))
  const earlier = preferVisible(
    header.map((text, at) => {
      const field = named[at] ? null : rememberedField(text)
      return (named.includes(field) && !isJoined(field)) || (field && cannotBeDates(field) && hasDates(at))
        ? null
        : field
    }),
  )
  const added = addedColumns(header)
  const isAdded = (text: string) => added.has(text.trim())
  const isDistance = (text: string, at: number) => isTripDistance(text, header, dataType, hasTrips(at))
  /**
   * Guesses the field that a heading names. In a column of dates, the heading `Estimated` does not mean an amount, and
   * `Pickup` does not mean a place.
   */
  const guessAt = (text: string, at: number): string | null => {
    const field = guessColumn(text, dataType)
    const dated = (!field || isAmount(field) || isPlace(field)) && hasDates(at)
    return dated ? datedColumn(text, dataType) : field
  }
  const isAmount = (field: string) => AMOUNTS.includes(columnOf(dataType, field)?.kind ?? 'text')
  const isPlace = (field: string) => PLACES.includes(columnOf(dataType, field)?.kind ?? 'text')
  const guessed = header.map((text, at) =>
    !choices && !isAdded(text) && !isDistance(text, at) ? guessAt(text, at) : null,
  )
  const { begins } = importKind(dataType)
  const beginnings = header.flatMap((_, at) => (begins && guessed[at] === begins ? [at] : []))
  const beginsAt = beginnings.length > 1 ? earliestOf(beginnings) : -1
  const isOpen = (field: string) => ![...named, ...earlier, ...guessed].includes(field)
  // Do not read a VIN column if a different column contains unit numbers. The user must then assign the unit number
  // field to the column of unit numbers.
  const needsVin = !choices && isOpen('unit_number') && !header.some((_, at) => hasUnits(at))
  const vinAt = needsVin ? header.findIndex(isVinHeading) : -1
  const fieldsByHeading = header.map((_, at) => named[at] ?? earlier[at] ?? (at === vinAt ? 'unit_number' : null))
  const filled = new Set(fieldsByHeading)
  /** True if another column has the field or suits it better. */
  const isTaken = (field: string, at: number) => {
    if (!isJoined(field) && (filled.has(field) || usedFields.has(field))) return true
    return field === begins && beginsAt >= 0 ? at !== beginsAt : isNamedBetter(field, at)
  }
  /**
   * True if another column suits the field better.
   * For example, the column at position `at` is hidden and the other column is visible.
   */
  const isNamedBetter = (field: string, at: number) =>
    (hidden.has(at) && guessed.some((other, index) => other === field && !hidden.has(index))) ||
    (field === 'unit_number' &&
      !hasUnits(at) &&
      header.some((_, index) => guessed[index] === field && hasUnits(index))) ||
    (isVague(header[at] ?? '') &&
      header.some(
        (other, index) => guessed[index] === field && !isVague(other) && !(isTruck(other) && hasUnits(at)),
      )) ||
    (isTruck(header[at] ?? '') &&
      header.some((other, index) => guessed[index] === field && !isTruck(other) && hasUnits(index)))
  /**
   * True if the heading names a field with unusable values.
   * The heading shows that the values are out of date or in a different unit of measure.
   */
  const isBlocked = (text: string) => {
    const field = own.get(headerKey(text)) ?? fieldNamed(text, dataType)
    return field !== null && isOtherMeasure(text, columnOf(dataType, field))
  }
  const guess = (text: string, at: number): string | null => {
    const field = guessed[at] ?? null
    if (!field || isTaken(field, at)) return null
    if (isPlace(field) && hasDates(at)) return null
    warnings.push(`Column "${shortenHeading(text)}" was read as ${fieldLabel(field)}`)
    return field
  }
  const whyIgnored = (text: string, at: number): string => {
    const guessedField = rememberedField(text) ?? guessed[at]
    if (choices) return 'was ignored'
    if (isVinHeading(text)) return 'is read only in rows without a unit number'
    const { denied } = importKind(dataType)
    if (denied?.headings.includes(plainWords(text)))
      return (
        `was only compared with ${fieldLabel(denied.field)}: Yes requires an amount, No excludes one; ` +
        `if it has amounts, choose a field for it`
      )
    if (meansFinished(text, dataType)) return 'was ignored, because the import creates open records'
    if (guessedField && isTaken(guessedField, at))
      return `was ignored, because another column is used for ${fieldLabel(guessedField)}`
    if (isDistance(text, at)) return 'was ignored, because it may be the distance of the trip'
    if (isBlocked(text)) return 'was ignored, because its values may be out of date or in other units of measure'
    const isUsed = (field: string) => filled.has(field) || usedFields.has(field)
    return `is not known and was ignored${questionFor(text, dataType, isUsed)}`
  }
  const fields = header.map((text, at) => {
    const field = fieldsByHeading[at] ?? guess(text, at)
    if (!field) {
      if (text.trim() && !isAdded(text)) warnings.push(`Column "${shortenHeading(text)}" ${whyIgnored(text, at)}`)
      return null
    }
    if (usedFields.has(field) && !isJoined(field)) {
      warnings.push(`Column "${shortenHeading(text)}" appears twice; the first one was used`)
      return null
    }
    usedFields.add(field)
    if (at === vinAt)
      warnings.push(`Column "${shortenHeading(text)}" was read as Unit number; VINs are looked up in the vehicle list`)
    if (hidden.has(at) && !choices)
      warnings.push(`Column "${shortenHeading(text)}" is hidden in the file, but was read`)
    if (earlier[at])
      warnings.push(`Column "${shortenHeading(text)}" was read as ${fieldLabel(field)}, as in an earlier file`)
    return field
  })
  const fieldNamedBy = (at: number) => nameField(header[at] ?? '') ?? guessed[at] ?? null
  const repeats = (at: number) => fields[at] === null && usedFields.has(fieldNamedBy(at) ?? '')
  const besideAt = header.findIndex((_, at) => repeats(at) && fieldNamedBy(at) === 'unit_number' && hasUnits(at))
  if (besideAt >= 0 && header.slice(besideAt).filter((_, at) => repeats(besideAt + at)).length >= BESIDE_COLUMNS)
    warnings.unshift(
      `A second table begins at the second column "${shortenHeading(header[besideAt] ?? '')}". It is not read. ` +
        'Import the second table from a separate file',
    )
  const contested = choices
    ? []
    : fields.flatMap((field, at) => {
        const rivals = header.keys().filter((other) => !fields[other] && fieldNamedBy(other) === field)
        return field && rivals.some((other) => !isBlocked(header[other] ?? '') && differ(at, other)) ? [field] : []
      })
  const kind = importKind(dataType)
  const missing = kind.columns.flatMap((column) =>
    needsValue(kind, column, existing) && !usedFields.has(column.name) && !defaults[column.name] ? [column.name] : [],
  )
  return { fields, missing, contested, warnings }
}

function questionFor(heading: string, dataType: DataType, isFilled: (field: string) => boolean): string {
  const field = suggestColumn(heading, dataType)
  return field && !isFilled(field) ? `; is it ${fieldLabel(field)}?` : ''
}

export function missingColumns(
  dataType: DataType,
  { fields, missing, header }: Pick<ColumnPlacement, 'fields' | 'missing'> & { header: string[] },
): string {
  return fields.some(Boolean) || isHeading(header)
    ? `Missing required columns: ${missing.join(', ')}`
    : `The file has no header row: expected ${requiredOf(dataType).join(', ')}`
}
