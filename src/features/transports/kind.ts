import { asc, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { locations, transports } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { RecordKind } from '../../platform/records/kind'
import { byNumber } from '../../platform/records/search'
import { dayInWords } from '../../platform/records/words'
import { transportBulk } from './bulk'
import { transportDue } from './due'
import { findTransport } from './queries'
import { isUnderWay } from './sql'

const nameOf = (place: AnyPgColumn) => sql`(select l.location_name from ${locations} l where l.id = ${place})`

export const transportKind: RecordKind = {
  table: transports,
  noun: 'transport',
  many: 'transports',
  calledBy: transports.unit_number,
  unit: transports.unit_number,
  page: ({ id }) => paths.transports.edit(id),
  history: 'everybody',
  restore: { path: paths.transports.restore, role: 'user' },
  events: 'everybody',
  find: (db, _clock, id) => findTransport(db, id),
  isUse: true,
  about: (id) =>
    sql`(select o.location_name || ' → ' || i.location_name || ', ' || t.status from ${transports} t
      join ${locations} o on o.id = t.location_out_id join ${locations} i on i.id = t.location_in_id
      where t.id = ${id})`,
  search: [byNumber(4, 'RA', sql`x.ra_number`), byNumber(6, 'PO', sql`x.po_number`)],
  due: transportDue,
  scan: {
    name: 'delivered',
    tab: 'Deliver',
    verb: 'Delivered',
    done: (unit) => `Unit ${unit} is delivered`,
    day: 'Arrived',
    bulk: transportBulk,
    open: isUnderWay(transports),
    order: [sql`${transports.status} = 'In Transit' desc`, asc(transports.move_date), asc(transports.id)],
    words: (today) => sql`${nameOf(transports.location_out_id)} || ' → ' || ${nameOf(transports.location_in_id)} ||
      ', move date ' || ${dayInWords(transports.move_date)} ||
      case when ${transports.move_date} > ${today}::date then ', which is after today' else '' end`,
    none: 'no transport under way',
    several: 'transports under way',
    set: (on) => ({ status: 'Delivered', actual_arrival_date: on }),
  },
}
