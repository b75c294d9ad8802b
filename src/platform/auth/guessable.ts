import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { locations, transportCompanies, vendors } from '../../../db/schema'
import { PRODUCT } from '../../../db/vocabulary'
import { Refused } from '../refusals'

/** Words that a guesser of this product's passwords tries first, with a year behind them. */
const PRODUCT_WORDS = [
  ...[PRODUCT.name, ...PRODUCT.subtitle.split(' ')].map(lettersOf),
  ...['vehicle', 'vehicles', 'transport', 'transports', 'hub', 'dealer', 'vendor', 'company', 'office', 'welcome'],
  ...['spring', 'summer', 'autumn', 'fall', 'winter'],
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
]
const ONLY_PRODUCT_WORDS = new RegExp(`^(?:${PRODUCT_WORDS.join('|')})+$`)

/** What is left of a password without the digits and signs around its words. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]/gu, '')
}

/** Is there a location, company or vendor whose name or code, or one word of it, has these letters? */
async function isPlaceName(db: Db, letters: string): Promise<boolean> {
  const names = sql`
    select ${locations.location_name} as name from ${locations} union all select ${locations.location_code} from ${locations}
    union all select ${transportCompanies.company_name} from ${transportCompanies}
    union all select ${vendors.vendor_name} from ${vendors}`
  const separators = '[\\s[:digit:][:punct:]]+'
  const found = await rows(
    db,
    sql`select 1 from (${names}) n where ${letters} = any(regexp_split_to_array(lower(name), ${separators}))
      or ${letters} = regexp_replace(lower(name), ${separators}, '', 'g') limit 1`,
  )
  return found.length > 0
}

type Owner = { username: string; first_name?: string | null; last_name?: string | null }

/** @throws Refused for a password that is little more than a name that outsiders can guess */
export async function refuseGuessable(db: Db, password: string, owner: Owner, field = 'newPassword') {
  const letters = lettersOf(password)
  if (letters === lettersOf(owner.username)) throw Refused.field(field, 'The password is too similar to the username')
  const [first, last] = [lettersOf(owner.first_name ?? ''), lettersOf(owner.last_name ?? '')]
  if ([first, last, first + last, last + first].includes(letters))
    throw Refused.field(field, 'The password is too similar to the name of its user')
  if (ONLY_PRODUCT_WORDS.test(letters) || (await isPlaceName(db, letters)))
    throw Refused.field(field, 'The password is a name or word that others can guess. Choose another.')
}
