import type { Db } from '../../db/client'
import { type AuditEntry, namesIn } from './queries'

/** An audit entry as people read it: each field by its name, ids of places and companies as what they are called. */
export type ToldEntry = Omit<AuditEntry, 'changes'> & { changes: { field: string; old: string | null; new: string | null }[] }

const asText = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const fieldName = (field: string) => field.replace(/_id$/, '').replaceAll('_', ' ')

/** What a new or gone record says nothing of is left out. */
export async function told(db: Db, entries: AuditEntry[]): Promise<ToldEntry[]> {
  const nameOf = await namesIn(db, entries)
  return entries.map(({ changes, ...entry }) => ({
    ...entry,
    changes: Object.entries(changes)
      .map(([field, change]) => ({
        field: fieldName(field),
        old: nameOf(field, change.old) ?? asText(change.old),
        new: nameOf(field, change.new) ?? asText(change.new),
      }))
      .filter((change) => change.old !== null || change.new !== null),
  }))
}

/** `status: In Transit → Delivered`, one change a line. */
export const changesText = ({ changes }: ToldEntry) => changes.map((change) => `${change.field}: ${change.old ?? '–'} → ${change.new ?? '–'}`).join('\n')
