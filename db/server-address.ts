/** An address may name several hosts, which no URL can; this has the first alone. */
export const firstHostOnly = (url: string) => url.replace(/,[^/@]*(?=\/|\?|$)/, '')
