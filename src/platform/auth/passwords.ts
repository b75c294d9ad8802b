/** Argon2id parameters recommended by OWASP. Hashing takes about 50 ms and does not block the event loop. */
const STRENGTH = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

export const hashPassword = (password: string) => Bun.password.hash(password, STRENGTH)

/** Stored in place of a password hash for accounts without a password. */
export const NO_PASSWORD = '!'

/**
 * Text that is checked in place of an empty password. For an empty password, `verify` would return at once, and the
 * check would be faster than usual.
 */
const NEVER_RIGHT = '-'

let dummyHash: Promise<string> | undefined

/**
 * Checks a password against the hash of an account. If no account or no hash exists, the check takes the same time and
 * then fails. If it failed faster, the duration would reveal which accounts exist.
 */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  dummyHash ??= hashPassword(crypto.randomUUID())
  // `verify` throws on an unknown hash format. An administrator may have stored such a hash by hand, so the error
  // counts as a wrong password.
  const usable = hash === NO_PASSWORD ? null : hash
  const text = password || NEVER_RIGHT
  const matches = await Bun.password.verify(text, usable ?? (await dummyHash)).catch(() => false)
  return matches && usable !== null && password !== ''
}

/** Generates a temporary password with 133 random bits and no look-alike characters. */
export function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const pick = () => letters[crypto.getRandomValues(new Uint32Array(1))[0]! % letters.length]
  return `Ym7-${Array.from({ length: 23 }, pick).join('')}`
}
