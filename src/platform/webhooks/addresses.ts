import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { Refused } from '../refusals'

/** Networks that are not part of the public internet (RFC 6890). A webhook to them could reach internal services. */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fec0::', 10],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6')

/**
 * Returns the IPv4 address that an IPv4-mapped IPv6 address contains, because the operating system would connect to the
 * IPv4 address.
 */
function embeddedIpv4(address: string): string | undefined {
  const { hostname } = new URL(`http://[${address}]`)
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (!high || !low) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) return PRIVATE.check(address, 'ipv4')
  const ipv4 = embeddedIpv4(address)
  return ipv4 ? PRIVATE.check(ipv4, 'ipv4') : PRIVATE.check(address, 'ipv6')
}

export const PRIVATE_MESSAGE =
  'Private and loopback addresses are not allowed. An operator can allow them with WEBHOOK_ALLOW_PRIVATE=on.'

export type ResolvedAddress = { address: string; family: number }

/**
 * Resolves a host name to its addresses.
 * The webhook request must connect to one of these addresses, because a second lookup could return different ones.
 */
export async function resolveHost(host: string): Promise<ResolvedAddress[]> {
  const bare = host.replace(/^\[|\]$/g, '')
  const family = isIP(bare)
  return family ? [{ address: bare, family }] : lookup(bare, { all: true })
}

/**
 * Checks that the host of a webhook URL is public. A host that cannot be resolved now is accepted.
 * @throws Refused when the host has a private address
 */
export async function checkPublic(url: string, { webhookAllowPrivate }: { webhookAllowPrivate: boolean }) {
  if (webhookAllowPrivate) return
  const addresses = await resolveHost(new URL(url).hostname).catch(() => [])
  if (addresses.some(({ address }) => isPrivateAddress(address))) throw Refused.field('url', PRIVATE_MESSAGE)
}
