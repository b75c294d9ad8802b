import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { locations, oslEntries, registrations, titles, transports, vehicles } from '../../../db/schema'
import { DUE_KINDS, type DueKind } from '../../../db/vocabulary'
import { addDays } from '../../platform/clock'
import { followUpOn, isActive, touchedOn } from '../osl'
import { isExpiring } from '../registrations'
import type { DueCalendar } from '../settings'
import { daysPending, isOverdue, stageOf } from '../titles'
import { isLate, isSale, lacksCost, lacksPo } from '../transports'

/** What is due, as SQL: one definition for the list, its counts, the badge and the dashboard. */

const t = alias(transports, 't')
const e = alias(oslEntries, 'e')
const g = alias(registrations, 'g')
const n = alias(titles, 'n')

type Item = {
  entity: string
  id: SQL
  unit: SQL
  text: SQL
  /** The day on which it became, or becomes, due. */
  dueOn: SQL
  /** How many days it is late, is left, or has waited; `text` says which. */
  days: SQL
  severity: SQL
  /** Whose it is when it was given to nobody, where the record says so. */
  owner?: SQL
  /** From and where. */
  from: SQL
}

const US = sql.raw(`'MM/DD/YYYY'`)
const day = (date: SQL) => sql`to_char(${date}, ${US})`
const danger = sql`'danger'`
const warning = sql`'warning'`

const move = (from: SQL) => sql`${transports} t join ${locations} o on o.id = t.location_out_id
  join ${locations} i on i.id = t.location_in_id where ${from}`
const route = sql`o.location_name || ' to ' || i.location_name`
const ofMove = { entity: 'transports', id: sql`t.id`, unit: sql`t.unit_number` }
const plate = sql`g.plate_number || ', ' || g.state_province`
const ofPlate = { entity: 'registrations', id: sql`g.id`, unit: sql`g.unit_number` }

const items = (clock: DueCalendar): Record<DueKind, Item> => {
  const { registration_days, title_days, title_danger_days, osl_days, cost_days } = clock.lead
  const today = sql`${clock.today()}::date`
  const followUp = followUpOn(e, clock, osl_days)
  const ahead = { start: clock.today(), end: addDays(clock.today(), registration_days) }
  const pending = daysPending(n, clock.today())
  return {
    transport_late: {
      ...ofMove,
      text: sql`${route} || ', ' || t.status || ', expected ' || ${day(sql`t.estimated_arrival_date`)}`,
      dueOn: sql`t.estimated_arrival_date`,
      days: sql`${today} - t.estimated_arrival_date`,
      severity: danger,
      from: move(isLate(t, clock.today())),
    },
    registration_expired: {
      ...ofPlate,
      text: sql`${plate} || ', expired ' || ${day(sql`g.date_expires`)}`,
      dueOn: sql`g.date_expires`,
      days: sql`${today} - g.date_expires`,
      severity: danger,
      // By vehicle: those whose registration ended are few, the registrations that ended are many.
      from: sql`${vehicles} v cross join lateral (select * from ${registrations} r where r.unit_number = v.unit_number
        and r.date_expires = v.registered_until order by r.id desc limit 1) g where v.registered_until < ${today}`,
    },
    title_overdue: {
      entity: 'titles',
      id: sql`n.id`,
      unit: sql`n.unit_number`,
      text: sql`'Pending since ' || ${day(sql`n.submitted_date`)} || coalesce(', ' || lower(${stageOf(n)}), '')
        || coalesce(', dealer ' || n.dealer_name, '')
        || coalesce(', asked last ' || ${day(sql`n.last_chased_on`)}, '')`,
      dueOn: sql`n.submitted_date + ${title_days}::int`,
      days: pending,
      severity: sql`case when ${pending} > ${title_danger_days}::int then 'danger' else 'warning' end`,
      // Who was told to ask again on a day does not ask before.
      from: sql`${titles} n where ${isOverdue(n, clock.today(), title_days)}
        and (n.next_chase_on is null or n.next_chase_on <= ${today})`,
    },
    title_missing: {
      ...ofMove,
      text: sql`'Sold, delivered ' || ${day(sql`t.actual_arrival_date`)} || ', and no title is tracked'`,
      dueOn: sql`coalesce(t.actual_arrival_date, t.move_date)`,
      days: sql`${today} - coalesce(t.actual_arrival_date, t.move_date)`,
      severity: danger,
      from: sql`${transports} t where ${isSale(t)} and not exists (
          select 1 from ${titles} n where n.unit_number = t.unit_number)
        and not exists (select 1 from ${transports} later where later.unit_number = t.unit_number
          and later.move_type = 'Sales' and later.status = 'Delivered' and later.id > t.id)`,
    },
    registration_expiring: {
      ...ofPlate,
      text: sql`${plate} || ', expires ' || ${day(sql`g.date_expires`)}`,
      dueOn: sql`g.date_expires`,
      days: sql`g.date_expires - ${today}`,
      severity: warning,
      from: sql`${registrations} g where ${isExpiring(g, ahead)}`,
    },
    osl_stale: {
      entity: 'osl_entries',
      id: sql`e.id`,
      unit: sql`e.unit_number`,
      text: sql`l.location_name || ', ' || e.status || coalesce(', waits for ' || lower(e.waiting_on), '')
        || case when e.next_action_on is null then ', nothing noted since ' || ${day(touchedOn(e, clock))}
          else ', ' || ${day(sql`e.next_action_on`)} || ': ' || e.next_action end`,
      dueOn: followUp,
      days: sql`${today} - coalesce(e.next_action_on, ${touchedOn(e, clock)})`,
      severity: warning,
      owner: sql`e.owner`,
      from: sql`${oslEntries} e join ${locations} l on l.id = e.location_id
        where ${isActive(e)} and ${followUp} <= ${today}`,
    },
    transport_no_cost: {
      ...ofMove,
      text: sql`${route} || ', delivered ' || ${day(sql`t.actual_arrival_date`)} || ' without a final cost'`,
      dueOn: sql`t.actual_arrival_date + ${cost_days}::int`,
      days: sql`${today} - t.actual_arrival_date`,
      severity: warning,
      from: move(lacksCost(t, clock.today(), cost_days)),
    },
    transport_no_po: {
      ...ofMove,
      text: sql`${route} || ', moved ' || ${day(sql`t.move_date`)} || ', PO to be issued'`,
      dueOn: sql`t.move_date`,
      days: sql`${today} - t.move_date`,
      severity: warning,
      from: move(lacksPo(t)),
    },
  }
}

/**
 * Everything of these kinds that is due, snoozed or not: `kind, entity, id, unit_number, text, due_on, days, severity,
 * owner`.
 */
export function dueItems(clock: DueCalendar, kinds: readonly DueKind[] = DUE_KINDS): SQL {
  const all = items(clock)
  const selects = kinds.map((kind) => {
    const { entity, id, unit, text, dueOn, days, severity, owner = sql`null`, from } = all[kind]
    return sql`select ${kind}::text as kind, ${entity}::text as entity, ${id} as id, ${unit} as unit_number, ${text} as text,
      ${dueOn} as due_on, (${days})::int as days, ${severity} as severity, (${owner})::text as owner from ${from}`
  })
  return sql.join(selects, sql` union all `)
}
