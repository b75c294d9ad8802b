import { wordKey } from '../reading/text'

/**
 * The location or company that a name in a spreadsheet refers to. `id` is null if the name fits several records. If the
 * name is an alias, `alias` is the record's official name.
 */
export type NameMatch = { id: number | null; label: string; alias?: string }

/**
 * Names that cells can contain. `nameKey` makes the keys of locations and companies. `words` maps the user's words to
 * listed values; its keys come from `wordAlias`.
 */
export type NameLookup = {
  locations: Map<string, NameMatch>
  companies: Map<string, NameMatch>
  words: Map<string, string | null>
}

/** Key of a word in one field: `Done` can stand for Delivered as a status, but not as a move type. */
export const wordAlias = (field: string, text: string) => `${field}|${wordKey(text)}`
