/** Removes all hosts except the first, because `URL` cannot parse several. */
export const firstHostOnly = (url: string) => url.replace(/,[^/@]*(?=\/|\?|$)/, '')

/** Names of all hosts in a URL, without their ports. */
export const hostsOf = (url: string): string[] => {
  const authority = /^[a-z]+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(url)?.[1] ?? ''
  return authority.split(',').map((host) => host.replace(/:\d+$/, ''))
}
