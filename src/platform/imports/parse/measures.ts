import type { ColumnKind, ImportColumn } from '../kind'
import { MAX_HEADING_LENGTH } from './heading-words'

/**
 * Matches headings with a unit that the program does not store.
 * Examples: `Odometer (km)`, `Cost (CAD)` and `Rate (per mile)`. The last pattern matches multiples of a thousand, such
 * as `Cost (k$)`, `Mileage (000)` and `Mileage (1000 mi)`.
 */
const OTHER_MEASURES = [
  /\b(?:km|kms|kilomet(?:er|re)s?|cad|gal|gallons?|lit(?:er|re)s?|eur|gbp|mxn|aud|hours?|hrs?)\b|[€£]/i,
  /\b(?:thousands|hundreds|hourly)\b|\bper (?:mi|mile|lb|hour|hr|gal|\d+)\b|\/ ?(?:mi|mile|lb|hour|hr)\b/i,
  /\(\s*(?:k mi|x ?\d+)\s*\)|\(\s*(?:k\s*\$?|\$\s*k|[$'x]?\s*1?,?0{3}s?(?:\s*(?:mi|miles|usd|\$))?)\s*\)/i,
]
/**
 * Matches `(trip)` in a heading such as `Mileage (trip)`. Such a column contains the distances of trips, not the
 * odometer readings that the program stores.
 */
const TRIP = /\(\s*trip\s*\)/i
/**
 * Matches a period other than a day in a heading. Examples: `Rate (monthly)` and `Rate/mo`.
 * The program stores rates per day.
 */
const OTHER_PERIOD = [
  /\((?:[^()]*\W)?(?:wk|week|mo|month|yr|year|p\/m|hr|hour|total|flat|\d+ days)\b[^()]*\)/i,
  /\b(?:monthly|weekly|yearly|annual|per (?:month|mo|week|wk|year|yr))\b|\/ ?(?:mo|wk|yr|month|week|year)\b/i,
]
/** Matches headings of outdated values: `Old Unit`, `Plate (prev.)`, `Status (last week)`. */
const OUTDATED = [
  /^\s*(?:old|previous|prev|former|prior)\b/i,
  /\(\s*(?:old|previous|prev|former|prior|expired|replaced|last (?:yr|year|week|month))\b[^()]*\)/i,
]
const MEASURED: ColumnKind[] = ['money', 'count', 'word']

/**
 * Returns true if a column's values are probably unusable for the field.
 * The values are out of date, or in a unit of measure that the field does not use. Such a column is read only if the
 * user assigns a field to it.
 */
export const isOtherMeasure = (heading: string, column: Pick<ImportColumn, 'name' | 'kind'> | undefined): boolean => {
  // Remove the unit after `not`, as in `Odometer (miles not km)`, because the values are not in that unit.
  const text = heading.slice(0, MAX_HEADING_LENGTH).replace(/\bnot (?:in )?\w+/gi, '')
  if (OUTDATED.some((pattern) => pattern.test(text))) return true
  if (!column || !MEASURED.includes(column.kind)) return false
  return (
    OTHER_MEASURES.some((pattern) => pattern.test(text)) ||
    (column.kind === 'count' && TRIP.test(text)) ||
    (column.name.endsWith('_rate') && OTHER_PERIOD.some((pattern) => pattern.test(text)))
  )
}
