import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { locations, titles, transports } from '../../../db/schema'
import { paths, withQuery } from '../../platform/paths'
import type { DueItems, DueRule, RecordAddress } from '../../platform/records/kind'
import { dayInWords } from '../../platform/records/words'
import { isLate, isSale, lacksCost, lacksPo } from './sql'

const t = alias(transports, 't')
const s = alias(transports, 's')

const id = sql`t.id`
const unit = sql`t.unit_number`
const route = sql`o.location_name || ' to ' || i.location_name`
const where = (condition: SQL) => sql`${transports} t join ${locations} o on o.id = t.location_out_id
  join ${locations} i on i.id = t.location_in_id where ${condition}`
const since = (day: SQL, today: string) => sql`${today}::date - ${day}`
const edit = ({ id }: RecordAddress) => paths.transports.edit(id)

export const transportDue: DueRule[] = [
  {
    name: 'transport_late',
    rank: 1,
    label: 'Late transports',
    verb: 'Update',
    href: edit,
    days: 'late',
    items: ({ today }): DueItems => ({
      id,
      unit,
      text: sql`${route} || ', ' || t.status || ', expected ' || ${dayInWords(sql`t.estimated_arrival_date`)}`,
      dueOn: sql`t.estimated_arrival_date`,
      days: since(sql`t.estimated_arrival_date`, today()),
      severity: 'danger',
      from: where(isLate(t, today())),
    }),
  },
  {
    name: 'title_missing',
    rank: 4,
    label: 'Sold without a title',
    verb: 'Add title',
    href: ({ unit_number }) => withQuery(paths.titles.create, { unit_number }),
    days: 'waiting',
    items: ({ today }) => ({
      id,
      unit,
      text: sql`'Sold, delivered ' || ${dayInWords(sql`t.actual_arrival_date`)} || ', no title on record'`,
      dueOn: sql`coalesce(t.actual_arrival_date, t.move_date)`,
      days: since(sql`coalesce(t.actual_arrival_date, t.move_date)`, today()),
      severity: 'danger',
      // The latest sale of each unit.
      from: sql`(select distinct on (s.unit_number) s.* from ${transports} s where ${isSale(s)}
          order by s.unit_number, s.id desc) t
        where not exists (select 1 from ${titles} n where n.unit_number = t.unit_number)`,
    }),
  },
  {
    name: 'transport_no_cost',
    rank: 7,
    label: 'Delivered without cost',
    verb: 'Add cost',
    href: edit,
    days: 'waiting',
    items: ({ today, lead: { cost_days } }) => ({
      id,
      unit,
      text: sql`${route} || ', delivered ' || ${dayInWords(sql`t.actual_arrival_date`)} || ' without a final cost'`,
      dueOn: sql`t.actual_arrival_date + ${cost_days}::int`,
      days: since(sql`t.actual_arrival_date`, today()),
      severity: 'warning',
      from: where(lacksCost(t, today(), cost_days)),
    }),
  },
  {
    name: 'transport_no_po',
    rank: 8,
    label: 'PO to issue',
    verb: 'Issue PO',
    href: ({ id }) => paths.transports.order(id),
    send: ({ id }) => paths.transports.issuePo(id),
    days: 'waiting',
    items: ({ today }) => ({
      id,
      unit,
      text: sql`${route} || ', moved ' || ${dayInWords(sql`t.move_date`)} || ', PO to be issued'`,
      dueOn: sql`t.move_date`,
      days: since(sql`t.move_date`, today()),
      severity: 'warning',
      from: where(lacksPo(t)),
    }),
  },
]
