/** Removes all hosts except the first, because `URL` cannot parse several. */
export const firstHostOnly = (url: string) => url.replace(/,[^/@]*(?=\/|\?|$)/, '')
