import { isIPv6 } from 'node:net'

/** The eight 16-bit groups of an IPv6 address. */
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
/** Of IPv4 addresses within IPv6: mapped ones, and those of NAT64. */
const IPV4_PREFIXES = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
]

/**
 * The network that failed sign-ins of an address count for: an IPv4 address itself, or the /64 of IPv6, because one
 * customer has all of its addresses.
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
