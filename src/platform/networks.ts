import { BlockList, isIP } from 'node:net'

/**
 * Returns the IPv4 address in an IPv4-mapped IPv6 address (`::ffff:…`). Returns undefined for other addresses. The
 * operating system connects to the IPv4 address, so the IPv4 address must be checked.
 */
function embeddedIpv4(address: string): string | undefined {
  const { hostname } = new URL(`http://[${address}]`)
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (!high || !low) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** A set of networks. They are written as addresses (`203.0.113.7`) or with a prefix length (`203.0.113.0/24`). */
export class Networks {
  readonly #networks = new BlockList()

  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/')
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
      this.#networks.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family)
    }
  }

  /** True if the address is in one of the networks. False for text that is not an IP address. */
  has(addressWithZone: string): boolean {
    // Ignore the zone of a link-local address, such as `%eth0` in `fe80::1%eth0`, because networks do not contain
    // zones.
    const [address = ''] = addressWithZone.split('%')
    if (isIP(address) === 0) return false
    if (isIP(address) === 4) return this.#networks.check(address, 'ipv4')
    const ipv4 = embeddedIpv4(address)
    return ipv4 ? this.#networks.check(ipv4, 'ipv4') : this.#networks.check(address, 'ipv6')
  }
}

export function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || more !== undefined) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}
