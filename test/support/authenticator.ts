import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A security key in software: one credential on the curve P-256, without attestation (WebAuthn, level 2). */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id: Buffer
  #counter = 0

  constructor(
    readonly origin = 'http://localhost',
    idLength = 16,
  ) {
    this.#id = randomBytes(idLength)
  }

  get id() {
    return this.#id.toString('base64url')
  }

  /** Creates the credential, as `navigator.credentials.create` does. */
  create({ challenge, rp }: { challenge: string; rp: { id?: string } }) {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    const key = Buffer.concat([hex('a5010203262001215820'), bytes(x), hex('225820'), bytes(y)])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.#id.length)
    const data = this.#authenticatorData(String(rp.id), 0x41, [Buffer.alloc(16), length, this.#id, key])
    const head = Buffer.concat([hex('a363666d74646e6f6e656761747453746d74a068'), Buffer.from('authData')])
    const size = Buffer.from([0x59, data.length >> 8, data.length & 0xff])
    const attestation = Buffer.concat([head, size, data])
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', challenge),
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    })
  }

  /** Signs a challenge, as `navigator.credentials.get` does. */
  get({ challenge, rpId }: { challenge: string; rpId?: string }) {
    this.#counter++
    const data = this.#authenticatorData(String(rpId), 0x01)
    const clientDataJSON = this.#clientData('webauthn.get', challenge)
    const signed = Buffer.concat([data, createHash('sha256').update(bytes(clientDataJSON)).digest()])
    const signature = createSign('sha256').update(signed).sign(this.#keys.privateKey)
    return this.#credential({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #credential(response: object) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false })).toString(
      'base64url',
    )
  }

  #authenticatorData(rpId: string, flags: number, more: Buffer[] = []): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter, ...more])
  }
}

const hex = (text: string) => Buffer.from(text, 'hex')
const bytes = (text: string) => Buffer.from(text, 'base64url')
