import type { SQL } from 'drizzle-orm'
import type { locations, transportCompanies, vendors } from '../../db/schema'
import type { DataType, VehicleStatus } from '../../db/vocabulary'
import type { ImportKind } from './imports/kind'
import type { ListKind } from './lists/kind'
import type { RecordKind } from './records/kind'
import type { masterQueries } from './records/master-data/queries'

type MasterQueries<Item extends Parameters<typeof masterQueries>[0]['table']['$inferSelect']> = ReturnType<
  typeof masterQueries<Item & { id: number; version: number; is_active: boolean; other_names: string[] | null }>
>

/**
 * What the features tell the platform about their kinds of records. The platform never imports a feature, so the
 * program registers them before it does anything else.
 */
export type Kinds = {
  /** Every kind of record that has a history, and its lists. */
  records: RecordKind[]
  lists: ListKind[]
  /** The spreadsheets that can be imported. */
  imports: Partial<Record<DataType, ImportKind>>
  /** The address of the worker that reads spreadsheets; it registers `imports` for itself. */
  importWorker: string
  /** Master data that records refer to. */
  places: {
    location: MasterQueries<typeof locations.$inferSelect>
    company: MasterQueries<typeof transportCompanies.$inferSelect>
    vendor: MasterQueries<typeof vendors.$inferSelect>
  }
  /** What a vehicle's records say about it, as SQL; `unit` is its unit number. */
  vehicles: {
    firstStatus: VehicleStatus
    statusByRecords(unit: SQL): SQL
    placeByRecords(unit: SQL): SQL
    mileageByRecords(unit: SQL): SQL
  }
}

const registered: Partial<Kinds> = {}

export function registerKinds(kinds: Partial<Kinds>) {
  Object.assign(registered, kinds)
}

/** One part of what the features have registered. */
export function kinds<Part extends keyof Kinds>(part: Part): Kinds[Part] {
  const found = registered[part]
  if (found === undefined) throw new Error(`The kinds are not registered: ${part}`)
  return found as Kinds[Part]
}
