import type { Db } from '../../../../db/client'
import type { Clock } from '../../clock'
import type { BulkKind } from './kind'
import type { BulkResult } from './queries'

const NAMED = 3

type Find = BulkKind['find']

/** Returns the record's unit. Empty if it cannot be read, so that the message still appears. */
async function unitOf(db: Db, clock: Clock, find: Find, id: number): Promise<string[]> {
  try {
    return [String((await find(db, clock, id)).unit_number)]
  } catch {
    return []
  }
}

/** `. 5 skipped: Nothing to change (204155, 204160, 204170 and 2 more)`; empty if nothing was skipped. */
export async function skippedWords(db: Db, clock: Clock, find: Find, skipped: BulkResult['skipped']): Promise<string> {
  if (skipped.length === 0) return ''
  const reasons = Map.groupBy(skipped, ({ reason }) => reason)
  const said = [...reasons].map(async ([reason, of]) => {
    const units = (await Promise.all(of.slice(0, NAMED).map(({ id }) => unitOf(db, clock, find, id)))).flat()
    const more = of.length - units.length
    const named = [units.join(', '), more > 0 && `${more} more`].filter(Boolean).join(' and ')
    return `${reason} (${units.length ? named : of.length})`
  })
  return `. ${skipped.length} skipped: ${(await Promise.all(said)).join('; ')}`
}
