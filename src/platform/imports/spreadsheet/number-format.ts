/**
 * Text that a number format shows around a number. For example, `after` can be ` km`. `digits` is the minimum number of
 * digits, for example 6 for the format `000000`. It is 0 for formats without a minimum. `isPercent` is true if the
 * format shows a hundred times the number.
 */
export type ShownNumber = { before: string; after: string; digits: number; isPercent?: true }

/** Maximum length of a number format. Excel allows 255 characters. Longer formats are ignored. */
export const FORMAT_LIMIT = 299

/** Matches text in a number format. Examples are `"km"`, `\k` and the currency `[$€-407]`. */
const TEXT = /"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]/g
const textOf = (code: string) =>
  [...code.matchAll(TEXT)].map(([, quoted, escaped, currency]) => quoted ?? escaped ?? currency ?? '').join('')

/**
 * Matches text that does not change the meaning of a number. This is blank text, or a unit in which the program stores
 * numbers: dollars, miles, and amounts per day.
 */
const OWN_UNIT = /^[\s$()]*(?:(?:usd|us|mi|miles|\/ ?day|per day)[\s$()]*)*$/i

/**
 * Returns the text that a number format shows around a number. For example, the text is ` km` for `#,##0" km"`. Returns
 * null if the format shows no text that changes the meaning of the number.
 */
export function textAround(format: string): ShownNumber | null {
  const [code = ''] = format.split(';')
  const bare = code.replace(TEXT, (text) => ' '.repeat(text.length))
  const [digits = ''] = /[0#?][0#?.,]*/.exec(bare) ?? []
  if (bare.includes('%')) return { before: '', after: '%', digits: 0, isPercent: true }
  const at = bare.indexOf(digits)
  const [before, after] = [textOf(code.slice(0, at)), textOf(code.slice(at + digits.length))]
  // A comma after the digits means that the cell shows thousands. Text such as `k` after the comma only names the
  // thousands, and does not change the meaning of the stored number.
  const isScaled = digits.endsWith(',')
  if (digits === '' || isScaled || (OWN_UNIT.test(before) && OWN_UNIT.test(after))) return null
  return { before, after, digits: /^0{2,20}$/.test(digits) ? digits.length : 0 }
}

export function showNumber(number: number, { before, after, digits, isPercent }: ShownNumber): string {
  // Round the result, because multiplication by 100 can be inexact. For example, 0.07 * 100 is 7.000000000000001.
  const shown = isPercent ? Number((number * 100).toFixed(6)) : number
  return `${before}${String(shown).padStart(digits, '0')}${after}`.trim()
}
