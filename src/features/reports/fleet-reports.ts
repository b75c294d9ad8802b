import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { locations, registrations, titles, vehicles } from '../../../db/schema'
import { daysUntilExpiry, isExpiring } from '../registrations'
import { daysPending, isPending } from '../titles'
import { at, count, type Definition, date, days, record, text } from './define'

const g = alias(registrations, 'g')
const t = alias(titles, 't')

export const FLEET_REPORTS = {
  vehicle_status: {
    label: 'Vehicle Status',
    usual: 'this month',
    about: 'All vehicles by their status today. The report does not use the selected period.',
    isOfToday: true,
    columns: [text('status', 'Status'), count('count', 'Vehicles'), days('average_mileage', 'Average mileage')],
    chart: { label: 'status', value: 'count' },
    records: ({
      location_id,
    }) => sql`select ${record('vehicles', 'v', sql`null::date`)}, coalesce(v.current_status, 'Unknown') as status,
      1 as count,
        v.current_mileage as average_mileage
      from ${vehicles} v where ${location_id}::int is null or v.current_location = (select location_name
      from ${locations} where id = ${location_id}::int)`,
    groups: ['status'],
    order: sql`r.status`,
    computed: { average_mileage: sql`round(avg(r.average_mileage), 0)` },
  },
  registration_expiring: {
    label: 'Expiring Registrations',
    usual: 'next 30 days',
    about: 'Registrations that expire in the period and have not been renewed.',
    columns: [
      text('unit_number', 'Unit #'),
      text('plate_number', 'Plate'),
      text('state_province', 'State'),
      text('location_name', 'Location'),
      date('date_expires', 'Expires'),
      { key: 'days_until_expiry', label: 'Days until expiry', kind: 'count' },
    ],
    chart: null,
    records: (
      params,
    ) => sql`select ${record('registrations', 'g', sql`g.date_expires`)}, g.plate_number, g.state_province,
      l.location_name, to_char(g.date_expires, 'YYYY-MM-DD') as date_expires,
        ${daysUntilExpiry(g, params.today)} as days_until_expiry
      from ${registrations} g join ${locations} l on l.id = g.location_id
      where ${isExpiring(g, { start: params.start_date, end: params.end_date })} and ${at(sql`g.location_id`, params)}`,
    order: sql`r.date_expires, r.record_id`,
  },
  title_aging: {
    label: 'Title Aging',
    usual: 'this month',
    isOfToday: true,
    about: 'All titles that are pending today, by number of days pending. The report does not use the selected period.',
    columns: [text('age', 'Pending for'), count('count', 'Titles'), days('average_days', 'Average days')],
    chart: { label: 'age', value: 'count' },
    records(params) {
      const pending = daysPending(t, params.today)
      return sql`select ${record('titles', 't', sql`t.submitted_date`)}, 1 as count, ${pending} as average_days,
          case when ${pending} <= 14 then '0–14 days' when ${pending} <= 30 then '15–30 days' when ${pending} <= 60
          then '31–60 days' else 'Over 60 days' end as age
        from ${titles} t where ${isPending(t)} and ${at(sql`t.location_id`, params)}`
    },
    groups: ['age'],
    order: sql`min(r.average_days)`,
  },
} satisfies Record<string, Definition>
