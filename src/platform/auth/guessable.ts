import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { companySettings, locations, transportCompanies, vendors } from '../../../db/schema'
import { PRODUCT } from '../../../db/vocabulary'
import { normalize } from '../reading/text'
import { Refused } from '../refusals'
import { isMixed, PASSWORD_TOO_SIMPLE } from './rules'

/**
 * Words that attackers try first, usually followed by a year. They include the name of this program and words from its
 * field.
 */
const PRODUCT_WORDS = [
  ...[PRODUCT.name, ...PRODUCT.subtitle.split(' ')].map(lettersOf),
  ...['vehicle', 'vehicles', 'transport', 'transports', 'hub', 'dealer', 'vendor', 'company', 'office', 'welcome'],
  ...['password', 'admin', 'administrator', 'user', 'login', 'secret', 'qwerty'],
  ...['spring', 'summer', 'autumn', 'fall', 'winter'],
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
]
const ONLY_PRODUCT_WORDS = new RegExp(`^(?:${PRODUCT_WORDS.join('|')})+$`)

function lettersOf(text: string): string {
  return normalize(text, 'NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]/gu, '')
}

/**
 * Returns whether the letters of a password are a known name. The letters are compared with location codes, with the
 * names of locations, transport companies, vendors and the own company, and with single words of these names.
 */
async function isPlaceName(db: Db, letters: string): Promise<boolean> {
  const names = sql`
    select ${locations.location_name} as name from ${locations} union all select ${locations.location_code}
    from ${locations}
    union all select ${transportCompanies.company_name} from ${transportCompanies}
    union all select ${vendors.vendor_name} from ${vendors}
    union all select ${companySettings.company_name} from ${companySettings}`
  const separators = '[\\s[:digit:][:punct:]]+'
  const matches = await rows(
    db,
    sql`select 1 from (${names}) n where ${letters} = any(regexp_split_to_array(lower(name), ${separators}))
      or ${letters} = regexp_replace(lower(name), ${separators}, '', 'g') limit 1`,
  )
  return matches.length > 0
}

type Owner = { username: string; first_name?: string | null; last_name?: string | null }

async function mustBeMixed(db: Db): Promise<boolean> {
  const [settings] = await db.select({ rule: companySettings.password_rule }).from(companySettings)
  return settings?.rule !== 'Length only'
}

/** Returns why others can guess the password, or null. Digits, spaces and punctuation in the password are ignored. */
export async function guessableReason(db: Db, password: string, owner: Owner): Promise<string | null> {
  const letters = lettersOf(password)
  if (letters === '') return null
  if (letters === lettersOf(owner.username)) return 'The password is too similar to the username'
  const [first, last] = [lettersOf(owner.first_name ?? ''), lettersOf(owner.last_name ?? '')]
  if ([first, last, first + last, last + first].includes(letters))
    return 'The password is too similar to the name of the user'
  return ONLY_PRODUCT_WORDS.test(letters) || (await isPlaceName(db, letters))
    ? 'The password is a name or word that others can guess. Choose another password.'
    : null
}

/**
 * @throws Refused when the settings require letters and digits and the password lacks them, or when others can guess it
 */
export async function refuseWeak(db: Db, password: string, owner: Owner, field = 'newPassword') {
  if (!isMixed(password) && (await mustBeMixed(db))) throw Refused.field(field, PASSWORD_TOO_SIMPLE)
  const reason = await guessableReason(db, password, owner)
  if (reason) throw Refused.field(field, reason)
}
