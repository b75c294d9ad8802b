/** argon2id at the strength that OWASP asks for; about 50 ms, off the event loop. */
const STRENGTH = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

export const hashPassword = (password: string) => Bun.password.hash(password, STRENGTH)

let nobody: Promise<string> | undefined

/** Checks a password. Without a hash it works as long and says no, so that time does not tell who has an account. */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  nobody ??= hashPassword(crypto.randomUUID())
  // A hash of another program, which an administrator stored by hand, matches nothing.
  const matches = await Bun.password.verify(password, hash ?? (await nobody)).catch(() => false)
  return matches && hash !== null
}

/** A password with 133 random bits, to be typed once, without letters that look alike. */
export function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const pick = () => letters[crypto.getRandomValues(new Uint32Array(1))[0]! % letters.length]
  return `Ym7-${Array.from({ length: 23 }, pick).join('')}`
}
