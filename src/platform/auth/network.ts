import { isIPv6 } from 'node:net'

function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::')
  const parse = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const [front, back] = [parse(head), parse(tail ?? '')]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}

const isPrefix = (groups: number[], prefix: number[]) => prefix.every((group, at) => group === groups[at])
/** Prefixes of IPv6 addresses that contain an IPv4 address (IPv4-mapped and NAT64). */
const IPV4_PREFIXES = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
]

/**
 * Returns the network for which failed sign-ins are counted together. For IPv4, this is the address itself. For IPv6,
 * it is the /64 network, because one customer usually has a whole /64 network.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  if (IPV4_PREFIXES.some((prefix) => isPrefix(groups, prefix)))
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
