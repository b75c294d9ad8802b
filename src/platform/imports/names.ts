/**
 * The record that a name refers to. `id` is null when the name is ambiguous. If the name is an alias, `alias` is the
 * record's official name.
 */
export type NameMatch = { id: number | null; label: string; alias?: string }

/** Names that cells can contain. `nameKey` makes the keys of both maps. */
export type NameLookup = { locations: Map<string, NameMatch>; companies: Map<string, NameMatch> }
