import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Networks } from '../networks'
import { Refused } from '../refusals'

/**
 * Networks that are not part of the public internet (RFC 6890). Webhooks must not reach the internal services in these
 * networks.
 */
const PRIVATE = new Networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fec0::/10',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
])

export const isPrivateAddress = (address: string) => PRIVATE.has(address)

export const PRIVATE_MESSAGE =
  'Private and loopback addresses are not allowed. An operator can allow them with WEBHOOK_ALLOW_PRIVATE=on.'

export type ResolvedAddress = { address: string; family: number }

/**
 * The caller must check the returned addresses before it connects. It must connect to one of these addresses, not to
 * the host name. Otherwise, a second lookup of the host name could return addresses that were not checked.
 */
export async function resolveHost(host: string): Promise<ResolvedAddress[]> {
  const bare = host.replace(/^\[|\]$/g, '')
  const family = isIP(bare)
  return family ? [{ address: bare, family }] : lookup(bare, { all: true })
}

/** Names that every computer resolves to itself, even if its resolver does not know them yet. */
const LOOPBACK_NAME = /(^|\.)localhost\.?$|^ip6-(localhost|loopback)\.?$/i

/**
 * A host that cannot be resolved now is accepted.
 * @throws Refused when the host has a private address
 */
export async function checkPublic(url: string, { webhookAllowPrivate }: { webhookAllowPrivate: boolean }) {
  if (webhookAllowPrivate) return
  const { hostname } = new URL(url)
  if (LOOPBACK_NAME.test(hostname)) throw Refused.field('url', PRIVATE_MESSAGE)
  const addresses = await resolveHost(hostname).catch(() => [])
  if (addresses.some(({ address }) => isPrivateAddress(address))) throw Refused.field('url', PRIVATE_MESSAGE)
}
