/** Names are the same whatever their case and however many spaces stand between their words. */
export const nameKey = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()
