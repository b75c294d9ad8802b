/**
 * The record that a name refers to. `id` is null when the name is ambiguous.
 * `alias` is the record's official name when the name is another one for it.
 */
export type NameMatch = { id: number | null; label: string; alias?: string }

/** Names that rows can use, by `nameKey`. */
export type NameLookup = { locations: Map<string, NameMatch>; companies: Map<string, NameMatch> }
