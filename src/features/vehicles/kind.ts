import { sql } from 'drizzle-orm'
import { vehicles } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { RecordKind } from '../../platform/records/kind'
import { vinEnds } from '../../platform/records/search'
import { findVehicle } from './find'

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
    { rank: 1, label: sql`'Unit ' || x.unit_number`, where: ({ begins }) => sql`x.unit_number like ${begins}` },
    {
      rank: 2,
      label: sql`'Unit ' || x.unit_number || ', VIN ' || x.vin`,
      where: ({ upper, upperBegins }) => sql`x.vin like ${upperBegins} or ${vinEnds(sql`x.vin`, upper)}`,
    },
  ],
}
