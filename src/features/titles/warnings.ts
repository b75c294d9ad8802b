import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { titles, vehicles } from '../../../db/schema'
import type { Clock } from '../../platform/clock'
import { inWords, newVehicle, newWarnings, type Warning, warning } from '../../platform/records/warnings'
import { findTitle } from './queries'

type Facts = { is_known: boolean; pending_since: string | null }

/**
 * Loads the data that the warnings about a title depend on. `id` is the edited title, or null for a new one. The query
 * ignores the edited title, so that a title never causes warnings about itself.
 */
async function factsOf(db: Db, unit: string, id: number | null): Promise<Facts> {
  const [facts] = await rows<Facts>(
    db,
    sql`select exists (select 1 from ${vehicles} v where v.unit_number = ${unit}) as is_known,
      (select to_char(max(s.submitted_date), 'YYYY-MM-DD') from ${titles} s
        where s.unit_number = ${unit} and s.transferred_date is null and s.id is distinct
        from ${id}::int) as pending_since`,
  )
  return facts as Facts
}

const warningsFrom = (unit: string, { is_known, pending_since }: Facts): Warning[] => [
  ...(is_known ? [] : [newVehicle(unit)]),
  ...(pending_since
    ? [
        warning(
          'duplicate',
          'unit_number',
          `Unit ${unit} already has a pending title, submitted on ${inWords(pending_since)}`,
        ),
      ]
    : []),
]

export const titleWarnings = async (db: Db, { unit_number }: { unit_number: string }): Promise<Warning[]> =>
  warningsFrom(unit_number, await factsOf(db, unit_number, null))

/**
 * Returns only warnings that the stored title does not already have.
 * @throws Missing when the title does not exist
 */
export async function titleChangeWarnings(
  db: Db,
  clock: Clock,
  id: number,
  { unit_number }: { unit_number?: string | undefined },
): Promise<Warning[]> {
  if (unit_number === undefined) return []
  const stored = await findTitle(db, clock, id)
  if (stored.transferred_date !== null) return []
  const [before, after] = await Promise.all([factsOf(db, stored.unit_number, id), factsOf(db, unit_number, id)])
  return newWarnings(warningsFrom(stored.unit_number, before), warningsFrom(unit_number, after))
}
