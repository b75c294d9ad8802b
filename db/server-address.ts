/** Removes all hosts of a database address except the first, because `URL` cannot parse several hosts. */
export const firstHostOnly = (url: string) => url.replace(/,[^/@]*(?=\/|\?|$)/, '')
