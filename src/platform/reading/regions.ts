import { wordKey } from './text'

const REGIONS: Record<string, string> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
}

/** Minimum number of letters in the abbreviation of a region's name. */
const SHORTENED = 3

/**
 * Returns the code of the region whose name begins with `text`. For example, `Calif.` gives `CA`. Returns undefined if
 * no region or several regions match.
 */
function codeByBeginning(text: string): string | undefined {
  const key = wordKey(text.replace(/\.$/, ''))
  if (!/^[a-z]+$/.test(key) || key.length < SHORTENED) return undefined
  const codes = [...CODES].filter(([name]) => name.startsWith(key)).map(([, code]) => code)
  return codes.length === 1 ? codes[0] : undefined
}

/** True for the code of a US state or Canadian province. */
export const isRegion = (code: string): boolean => Object.hasOwn(REGIONS, code)

export const REGION_NAMES: readonly string[] = Object.values(REGIONS)

/**
 * Matches a state after a plate, as in `ABC1234 AZ`. `STATE_FIRST` matches a state before a plate, as in `AZ-ABC1234`.
 */
const STATE_LAST = /^(\S.*?)[\s/,|(–-]+([a-z][a-z .]{1,30})\)?$/i
const STATE_FIRST = /^\(?([a-z]{2})\)?[\s/,|:–-]+(\S.*)$/i

/**
 * Splits text into a license plate and the code of the state. Examples are `ABC1234 AZ` and `AZ-ABC1234`. The code is
 * empty if the text has no state, or if it both begins and ends with a possible state.
 */
export function readPlateAndState(text: string): [string, string] {
  const code = (part = '') => [readRegion(part).toUpperCase()].find(isRegion) ?? ''
  if (code(text)) return ['', code(text)]
  const [, plate = '', last] = STATE_LAST.exec(text) ?? []
  const [, first, rest = ''] = STATE_FIRST.exec(text) ?? []
  // If the text has two states, as in `ABC1234 AZ/NV`, it is not clear which one belongs to the plate.
  if (code(last) && code(plate.split(/[\s/]+/).at(-1))) return [text, '']
  if (code(last) && !code(first)) return [plate, code(last)]
  return code(first) && !code(last) ? [rest, code(first)] : [text, '']
}

export const unknownRegion = (code: string) => `${code} is not a US state or Canadian province`

const CODES = new Map([
  ...Object.entries(REGIONS).map(([code, name]): [string, string] => [wordKey(name), code]),
  ...['Washington DC', 'Washington D.C.', 'Washington, DC', 'Washington, D.C.', 'D.C.'].map(
    (name): [string, string] => [wordKey(name), 'DC'],
  ),
])

/**
 * Converts the name of a state or province to its code.
 * For example, `Arizona`, `Ariz.`, `A.Z.`, `AZ - Arizona` and `Arizona (AZ)` become `AZ`. The case of a two-letter code
 * is not changed. Other text is only trimmed.
 */
export const readRegion = (text: string): string => {
  const bare = text.trim()
  const [, code = '', name = ''] = /^([a-z]{2})\s?[-–(]\s?([a-z .]{1,40})\)?$/i.exec(bare) ?? []
  if (code && CODES.get(wordKey(name)) === code.toUpperCase()) return code.toUpperCase()
  const [, written = '', short = ''] = /^([a-z .]{1,40})\s?\(([a-z]{2})\)$/i.exec(bare) ?? []
  if (written && CODES.get(wordKey(written)) === short.toUpperCase()) return short.toUpperCase()
  return CODES.get(wordKey(bare)) ?? codeByBeginning(bare) ?? bare.replace(/^([a-z])\.?\s?([a-z])\.?$/i, '$1$2')
}
