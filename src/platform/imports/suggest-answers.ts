import type { Found } from '../../../db/schema'
import { DATA_TYPES, type DataType } from '../../../db/vocabulary'
import type { Suggestions } from '../../../views/imports/question-props'
import { wordKey } from '../reading/text'
import { columnOf, fieldsOf } from './kinds'
import { type CompanyNames, isTypo, type LocationNames, suggestMatches } from './name-suggestions'
import { suggestColumn } from './parse/guess-columns'
import { placeColumns } from './parse/place-columns'
import { nearestWord } from './parse/read-field'
import type { Upload } from './queries'

/** Minimum length of a word that can abbreviate a listed value, such as `Renew` for `Renewal`. */
const BEGINNING = 4

const isMeant = (text: string, word: string) =>
  isTypo(text, word) || (text.length >= BEGINNING && word.startsWith(text))

type Known = {
  locations: LocationNames[]
  companies: CompanyNames[]
  /** Fields that users chose for headings in earlier files, by data type. */
  remembered: Map<DataType, Map<string, string>>
  /** True if the user has chosen the columns of this file. They are then not suggested again. */
  hasChosenColumns: boolean
}

/**
 * Suggests answers to the questions about a file. The user sees them in the form and confirms them. At most `limit`
 * names are compared.
 */
export function suggestAnswers({ data_type, found, new_names }: Upload, known: Known, limit: number): Suggestions {
  const names = suggestMatches(
    [...new_names, ...(found?.names ?? [])].slice(0, limit),
    known.locations,
    known.companies,
  )
  const words = (found?.words ?? []).flatMap(({ field, text }) => {
    const word = nearestWord(text, columnOf(data_type, field)?.words)
    return word && isMeant(wordKey(text), wordKey(word)) ? [[`${field} ${text}`, word]] : []
  })
  const open = new Set(fieldsOf(data_type).filter((field) => !found?.fields.includes(field)))
  const columns = (found?.header ?? []).map((heading, at) => {
    const field = found?.fields[at] || known.hasChosenColumns ? null : suggestColumn(heading, data_type)
    return field && open.delete(field) ? field : null
  })
  const other = otherDataType(data_type, found, known.remembered)
  return { names, words: Object.fromEntries(words), columns, data_type: other }
}

/**
 * Number of additional columns that another data type must fit before it is suggested. One additional column is enough
 * if the file lacks required columns of the chosen type.
 */
const BETTER = 2

/** Returns another data type that fits the columns of the file better than the chosen one, or null. */
function otherDataType(chosen: DataType, found: Found | null, remembered: Known['remembered']): DataType | null {
  if (!found) return null
  const used = (fields: (string | null)[]) => fields.filter(Boolean).length
  const least = used(found.fields) + (found.missing.length > 0 ? 1 : BETTER)
  const others = DATA_TYPES.filter((type) => type !== chosen)
    .map((type) => ({ type, ...placeColumns(found.header, type, { remembered: remembered.get(type) }) }))
    .filter(({ fields, missing }) => used(fields) >= least && (missing.length === 0 || used(fields) >= least + BETTER))
    .sort((a, b) => used(b.fields) - used(a.fields))
  return others[0]?.type ?? null
}
