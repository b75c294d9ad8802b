import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { titles, vehicles } from '../../../db/schema'
import { STAGE_FIELDS } from '../../../db/vocabulary'
import type { Clock } from '../../platform/clock'
import { fieldLabel } from '../../platform/field-label'
import { inWords, newVehicle, newWarnings, touches, type Warning, warning } from '../../platform/records/warnings'
import { findTitle } from './queries'

const DATES = ['submitted_date', ...Object.values(STAGE_FIELDS), 'transferred_date'] as const

type TitleValues = { unit_number: string } & Partial<Record<(typeof DATES)[number], string | null>>
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

function warningsFrom(title: TitleValues, today: string, { is_known, pending_since }: Facts): Warning[] {
  const { unit_number: unit, transferred_date } = title
  return [
    ...(is_known ? [] : [newVehicle(unit)]),
    ...(pending_since && !transferred_date
      ? [
          warning(
            'duplicate',
            'unit_number',
            `Unit ${unit} already has a pending title, submitted on ${inWords(pending_since)}`,
          ),
        ]
      : []),
    ...DATES.flatMap((field) => {
      const day = title[field]
      return day && day > today
        ? [warning('far_date', field, `${fieldLabel(field)}: ${inWords(day)} is after today`)]
        : []
    }),
  ]
}

export const titleWarnings = async (db: Db, clock: Clock, title: TitleValues): Promise<Warning[]> =>
  warningsFrom(title, clock.today(), await factsOf(db, title.unit_number, null))

/**
 * Returns only warnings that the stored title does not already have.
 * @throws Missing when the title does not exist
 */
export async function titleChangeWarnings(
  db: Db,
  clock: Clock,
  id: number,
  change: Partial<TitleValues>,
): Promise<Warning[]> {
  if (!touches(change, ['unit_number', ...DATES])) return []
  const stored = await findTitle(db, clock, id)
  const next = { ...stored, ...change }
  const [before, after] = await Promise.all([factsOf(db, stored.unit_number, id), factsOf(db, next.unit_number, id)])
  const today = clock.today()
  return newWarnings(warningsFrom(stored, today, before), warningsFrom(next, today, after))
}
