import { isIPv6 } from 'node:net'

/**
 * The network that failed sign-ins of an address count for: the address itself, or the /64 of IPv6, because one
 * customer has all of its addresses.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const [front, back] = [groups(head), groups(tail ?? '')]
  const whole = tail === undefined ? front : [...front, ...Array(8 - front.length - back.length).fill('0'), ...back]
  return `${whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
