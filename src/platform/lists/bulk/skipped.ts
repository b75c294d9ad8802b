import type { Db } from '../../../../db/client'
import type { Clock } from '../../clock'
import type { BulkKind } from './kind'
import type { BulkResult, BulkWarning } from './queries'

const MAX_UNITS_NAMED = 3

type Find = BulkKind['find']

/**
 * Returns the unit number of a skipped record in an array. If the record cannot be loaded, the array is empty, so that
 * the message about skipped records can still be shown.
 */
async function unitOf(db: Db, clock: Clock, find: Find, id: number): Promise<string[]> {
  try {
    return [String((await find(db, clock, id)).unit_number)]
  } catch {
    return []
  }
}

type Reasons = BulkResult['skipped']

/**
 * Returns a text about the records that a bulk edit skipped. The text is empty if there are none.
 * The text is appended to the success message, for example `. 5 skipped: Nothing to change (204155, 204160 and 3
 * more)`.
 */
export const skippedText = (db: Db, clock: Clock, find: Find, skipped: Reasons): Promise<string> =>
  reasonsText(db, clock, find, `${skipped.length} skipped`, skipped)

/** Returns a similar text about the warnings. */
export const warningsText = (db: Db, clock: Clock, find: Find, warnings: BulkWarning[]): Promise<string> =>
  reasonsText(
    db,
    clock,
    find,
    `Check ${warnings.length}`,
    warnings.map(({ id, message }) => ({ id, reason: message })),
  )

async function reasonsText(db: Db, clock: Clock, find: Find, title: string, all: Reasons): Promise<string> {
  if (all.length === 0) return ''
  const reasons = Map.groupBy(all, ({ reason }) => reason)
  const parts = [...reasons].map(async ([reason, records]) => {
    const units = (
      await Promise.all(records.slice(0, MAX_UNITS_NAMED).map(({ id }) => unitOf(db, clock, find, id)))
    ).flat()
    const more = records.length - units.length
    const unitText = [units.join(', '), more > 0 && `${more} more`].filter(Boolean).join(' and ')
    return `${reason} (${units.length ? unitText : records.length})`
  })
  return `. ${title}: ${(await Promise.all(parts)).join('; ')}`
}
