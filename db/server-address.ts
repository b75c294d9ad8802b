/** Removes all hosts but the first, because a URL cannot contain several. */
export const firstHostOnly = (url: string) => url.replace(/,[^/@]*(?=\/|\?|$)/, '')
