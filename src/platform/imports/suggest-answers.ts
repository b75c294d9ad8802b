import type { Found } from '../../../db/schema'
import { DATA_TYPES, type DataType } from '../../../db/vocabulary'
import type { Suggestions } from '../../../views/imports/question-props'
import { wordKey } from '../reading/text'
import { columnOf } from './kinds'
import { type CompanyNames, isTypo, type LocationNames, suggestMatches } from './name-suggestions'
import { suggestColumn } from './parse/guess-columns'
import { placeColumns } from './parse/place-columns'
import { nearestWord } from './parse/read-field'
import type { Upload } from './queries'

/** Suggests answers to the questions about a file. The user sees them in the form and confirms them. */
export function suggestAnswers(
  { data_type, found, new_names }: Upload,
  locations: LocationNames[],
  companies: CompanyNames[],
  limit: number,
): Suggestions {
  const names = suggestMatches([...new_names, ...(found?.names ?? [])].slice(0, limit), locations, companies)
  const words = (found?.words ?? []).flatMap(({ field, text }) => {
    const word = nearestWord(text, columnOf(data_type, field)?.words)
    return word && isTypo(wordKey(text), wordKey(word)) ? [[`${field} ${text}`, word]] : []
  })
  const missing = new Set(found?.missing)
  const columns = (found?.header ?? []).map((heading, at) => {
    const field = found?.fields[at] ? null : suggestColumn(heading, data_type)
    return field && missing.delete(field) ? field : null
  })
  return { names, words: Object.fromEntries(words), columns, data_type: otherDataType(data_type, found) }
}

/**
 * Returns another data type if the file has all its required columns, and more columns of it than of the chosen data
 * type.
 */
function otherDataType(chosen: DataType, found: Found | null): DataType | null {
  if (!found?.missing.length) return null
  const used = (fields: (string | null)[]) => fields.filter(Boolean).length
  const others = DATA_TYPES.filter((type) => {
    const { fields, missing } = placeColumns(found.header, type)
    return type !== chosen && missing.length === 0 && used(fields) > used(found.fields)
  })
  return others[0] ?? null
}
