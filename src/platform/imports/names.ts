import { wordKey } from '../reading/text'

/**
 * The location or company that a name in a spreadsheet refers to. `id` is null if the name matches several records. If
 * the name is an alias, `alias` contains the official name of the record.
 */
export type NameMatch = { id: number | null; label: string; alias?: string }

/**
 * Lookup tables for the names in spreadsheet cells. The keys of `locations` and `companies` are names, normalized by
 * `nameKey`. `words` maps the users' own words to listed values, or to null if a word counts as blank. The keys of
 * `words` come from `wordAlias`.
 */
export type NameLookup = {
  locations: Map<string, NameMatch>
  companies: Map<string, NameMatch>
  words: Map<string, string | null>
  /** Maps VINs in the file to unit numbers. Contains only VINs of known vehicles. */
  units?: ReadonlyMap<string, string>
}

/** Matches a mark, such as `x`. Its meaning depends on the heading of its column. */
const MARK = /^(?:yes|y|no|n|x|true|false|[✓✔☑☐✗✘])$/i

/** Returns the text under which the meaning of a word is remembered. For a mark, the text contains the heading. */
export const wordWithHeading = (text: string, heading: string) =>
  MARK.test(text.trim()) ? `${heading}: ${text.trim()}` : text

/**
 * Returns the lookup key for a word in a file.
 * The key includes the field, because `Done` can mean Delivered as a status, but not as a move type.
 */
export const wordAlias = (field: string, text: string) => `${field}|${wordKey(text)}`
