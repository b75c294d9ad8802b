/** Removes all hosts except the first, because `URL` cannot parse an address with several hosts. */
export const firstHostOnly = (url: string) => url.replace(/,[^/@]*(?=\/|\?|$)/, '')
