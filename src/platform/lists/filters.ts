import { showDate } from '../../../views/format'

/**
 * Filters that users cannot choose directly above a list. Users set these filters on the separate filter page.
 * `input` is the kind of value that users enter there, such as a location or a date.
 */

type FilterField = {
  input: 'location' | 'company' | 'vendor' | 'unit' | 'date' | 'choice'
  options?: { value: string; label: string }[]
  /** Describes a filter value in words. If `value` is an id, `recordName` is the name of that record. */
  words: (value: string, recordName?: string | null) => string
}

const choices = (yes: string, no: string) => ({
  input: 'choice' as const,
  options: [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ],
  words: (value: string) => (value === 'true' ? yes : no),
})

export const FILTERS = {
  location_id: { input: 'location', words: (_, recordName) => (recordName ? `At ${recordName}` : 'At one location') },
  transport_company_id: {
    input: 'company',
    words: (_, recordName) => (recordName ? `By ${recordName}` : 'By one company'),
  },
  vendor_id: { input: 'vendor', words: (_, recordName) => (recordName ? `Vendor ${recordName}` : 'One vendor') },
  over_estimate: choices('Above the estimate', 'Within the estimate'),
  invoiced: choices('Invoiced', 'Not invoiced'),
  start_date: { input: 'date', words: (day) => `From ${showDate(day)}` },
  end_date: { input: 'date', words: (day) => `To ${showDate(day)}` },
  unit_number: { input: 'unit', words: (unit) => `Unit ${unit}` },
} as const satisfies Record<string, FilterField>

export type FilterName = keyof typeof FILTERS
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]
