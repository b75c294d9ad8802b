import { desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { locations, registrations } from '../../../db/schema'
import { addDays } from '../../platform/clock'
import { paths } from '../../platform/paths'
import type { DueRule, RecordAddress, RecordKind } from '../../platform/records/kind'
import { dayInWords } from '../../platform/records/words'
import { registrationBulk } from './bulk'
import { findRegistration } from './queries'
import { isExpiring, overdueFrom, plateStartsWith } from './sql'

const g = alias(registrations, 'g')

const plate = sql`g.plate_number || ', ' || g.state_province`
const plateItem = { id: sql`g.id`, unit: sql`g.unit_number`, dueOn: sql`g.date_expires` }
const renew = { verb: 'Renew', href: ({ id }: RecordAddress) => paths.registrations.renew(id) }

const registrationDue: DueRule[] = [
  {
    ...renew,
    name: 'registration_expired',
    rank: 2,
    label: 'Expired registrations',
    days: 'late',
    items: ({ today }) => ({
      ...plateItem,
      text: sql`${plate} || ', expired ' || ${dayInWords(sql`g.date_expires`)}`,
      days: sql`${today()}::date - g.date_expires`,
      severity: 'danger',
      from: overdueFrom(today()),
    }),
  },
  {
    ...renew,
    name: 'registration_expiring',
    rank: 5,
    label: 'Expiring registrations',
    days: 'ahead',
    items: ({ today, lead: { registration_days } }) => ({
      ...plateItem,
      text: sql`${plate} || ', expires ' || ${dayInWords(sql`g.date_expires`)}`,
      days: sql`g.date_expires - ${today()}::date`,
      severity: 'warning',
      from: sql`${registrations} g
        where ${isExpiring(g, { start: today(), end: addDays(today(), registration_days) })}`,
    }),
  },
]

export const registrationKind: RecordKind = {
  table: registrations,
  noun: 'registration',
  many: 'registrations',
  calledBy: registrations.unit_number,
  unit: registrations.unit_number,
  page: ({ id }) => paths.registrations.edit(id),
  history: 'everybody',
  restore: { path: paths.registrations.restore, role: 'user' },
  events: 'everybody',
  find: findRegistration,
  isUse: true,
  about: (id) =>
    sql`(select l.location_name || ', ' || g.plate_number || ' ' || g.state_province from ${registrations} g
      join ${locations} l on l.id = g.location_id where g.id = ${id})`,
  search: [
    {
      rank: 3,
      label: sql`'Plate ' || x.plate_number || ' ' || x.state_province || ' until ' ||
        ${dayInWords(sql`x.date_expires`)} || ', unit ' || x.unit_number`,
      where: ({ text }) => plateStartsWith(sql`x.plate_number`, text),
    },
  ],
  due: registrationDue,
  scan: {
    name: 'received',
    tab: 'Receive papers',
    verb: 'Papers received',
    done: (unit) => `Papers received for unit ${unit}`,
    day: null,
    bulk: registrationBulk,
    open: eq(registrations.received, false),
    order: [desc(registrations.date_expires), desc(registrations.id)],
    words: () =>
      sql`'plate ' || ${registrations.plate_number} || ', until ' || ${dayInWords(registrations.date_expires)}`,
    none: 'no papers outstanding',
    several: 'papers outstanding',
    set: () => ({ received: true }),
  },
}
