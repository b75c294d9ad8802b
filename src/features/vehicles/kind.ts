import { sql } from 'drizzle-orm'
import { vehicles } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { RecordKind } from '../../platform/records/kind'
import { endsWith } from '../../platform/records/search'
import { findVehicle } from './find'

const UNIT_ENDING = /^\d{3,5}$/

const situation = sql`coalesce(', ' || x.current_status, '') || coalesce(', ' || x.current_location, '')`

export const vehicleKind: RecordKind = {
  table: vehicles,
  noun: 'vehicle',
  many: 'vehicles',
  calledBy: vehicles.unit_number,
  unit: vehicles.unit_number,
  page: ({ unit_number }) => paths.vehicles.show(unit_number),
  history: 'everybody',
  events: 'everybody',
  find: (db, _clock, id) => findVehicle(db, id),
  about: (id) => sql`(select concat_ws(', ', v.current_location, v.vin) from ${vehicles} v where v.id = ${id})`,
  search: [
    {
      rank: 1,
      label: sql`'Unit ' || x.unit_number || ${situation}`,
      where: ({ begins, text }) =>
        UNIT_ENDING.test(text)
          ? sql`x.unit_number like ${begins} or ${endsWith(sql`x.unit_number`, text)}`
          : sql`x.unit_number like ${begins}`,
    },
    {
      rank: 2,
      label: sql`'Unit ' || x.unit_number || ', VIN ' || x.vin || ${situation}`,
      where: ({ upper, upperBegins }) => sql`x.vin like ${upperBegins} or ${endsWith(sql`x.vin`, upper)}`,
    },
  ],
}
