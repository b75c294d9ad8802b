import { generateKeyPairSync, sign } from 'node:crypto'

/**
 * Returns a self-signed PEM certificate for `localhost`, valid for one day. It is generated on each call, so that no
 * key is stored.
 */
export function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from('localhost')))))
  const names = sequence(ALTERNATIVE_NAME, tagged(0x04, sequence(tagged(0x82, Buffer.from('localhost')))))
  const day = 86_400_000
  const validity = sequence(instant(Date.now() - day), instant(Date.now() + day))
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    sequence(ECDSA_SHA256),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(names)),
  )
  const signature = tagged(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]))
  const pem = sequence(body, sequence(ECDSA_SHA256), signature).toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${pem}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function tagged(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...parts: Uint8Array[]) => tagged(0x30, Buffer.concat(parts))
const integer = (value: number) => tagged(0x02, Buffer.of(value))
const instant = (ms: number) =>
  tagged(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)}Z`))
const named = (...bytes: number[]) => tagged(0x06, Buffer.of(...bytes))

/** OIDs 1.2.840.10045.4.3.2, 2.5.4.3 and 2.5.29.17. */
const ECDSA_SHA256 = named(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)
const COMMON_NAME = named(0x55, 0x04, 0x03)
const ALTERNATIVE_NAME = named(0x55, 0x1d, 0x11)
