import { expect, test } from 'bun:test'
import { isNetwork } from '../../src/platform/networks'

test('a network is an address with a prefix that is not longer than the address', () => {
  const valid = ['10.0.0.1', '10.0.0.0/8', '10.0.0.1/32', '::1', '2001:db8::/32', '::1/128']
  const invalid = ['10.0.0.1/33', '::1/129', '10.0.0/8', '10.0.0.1/8/9', '10.0.0.1/-1', '10.0.0.1/', 'fe80::1%eth0']
  expect(valid.filter((text) => !isNetwork(text))).toEqual([])
  expect(invalid.filter((text) => isNetwork(text))).toEqual([])
})
