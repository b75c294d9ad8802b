/** What a name stands for; `id` is null where it stands for several. `label` is how it is written, `alias` says that a user once explained it. */
export type Named = { id: number | null; label: string; alias?: string }

/** Names that rows may use, as `nameKey` writes them. */
export type Names = { locations: Map<string, Named>; companies: Map<string, Named> }
