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
 * Declarations of the features, such as record kinds, lists and imports.
 * The platform never imports a feature. Instead, the program must register these declarations before it does anything
 * else.
 */
export type Kinds = {
  records: RecordKind[]
  lists: ListKind[]
  imports: Partial<Record<DataType, ImportKind>>
  /** URL of the worker script that reads spreadsheets. The worker registers only `imports`, not the other kinds. */
  importWorker: string
  places: {
    location: MasterQueries<typeof locations.$inferSelect>
    company: MasterQueries<typeof transportCompanies.$inferSelect>
    vendor: MasterQueries<typeof vendors.$inferSelect>
  }
  /** SQL that derives a vehicle's status, place and mileage from its records. `unit` is SQL for the unit number. */
  vehicles: {
    firstStatus: VehicleStatus
    statusByRecords(unit: SQL): SQL
    placeByRecords(unit: SQL): SQL
    mileageByRecords(unit: SQL): SQL
    /**
     * SQL subquery of the records that determine a vehicle's state. The state is the status, place and mileage. The
     * columns are `entity` and `id`.
     */
    recordsOf(unit: SQL): SQL
  }
}

const registered: Partial<Kinds> = {}

export function registerKinds(kinds: Partial<Kinds>) {
  Object.assign(registered, kinds)
}

export function kinds<Part extends keyof Kinds>(part: Part): Kinds[Part] {
  const registeredKinds = registered[part]
  if (registeredKinds === undefined) throw new Error(`The kinds are not registered: ${part}`)
  return registeredKinds as Kinds[Part]
}
