export const VIN_SIGNS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'
const VIN_VALUES = '0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ'
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Returns a random vehicle identification number (VIN) with a valid check digit. */
export function vinFrom(sign: () => string): string {
  const signs = Array.from({ length: 17 }, sign)
  const sum = signs.reduce(
    (total, character, at) => total + (VIN_VALUES.indexOf(character) % 10) * (VIN_WEIGHTS[at] as number),
    0,
  )
  signs[8] = sum % 11 === 10 ? 'X' : String(sum % 11)
  return signs.join('')
}
