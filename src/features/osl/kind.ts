import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { locations, oslEntries, oslNotes, oslRates } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { DueRule, RecordKind } from '../../platform/records/kind'
import { byNumber } from '../../platform/records/search'
import { dayInWords } from '../../platform/records/words'
import { findOslEntry } from './queries'
import { followUpOn, isActive, touchedOn } from './sql'

const e = alias(oslEntries, 'e')

const followUp: DueRule = {
  name: 'osl_stale',
  rank: 6,
  label: 'OSL entries to follow up',
  verb: 'Follow up',
  href: ({ id }) => paths.osl.followUp(id),
  days: 'waiting',
  items(calendar) {
    const today = sql`${calendar.today()}::date`
    const dueOn = followUpOn(e, calendar, calendar.lead.osl_days)
    return {
      id: sql`e.id`,
      unit: sql`e.unit_number`,
      text: sql`l.location_name || ', ' || e.status || coalesce(', waiting for ' || lower(e.waiting_on), '')
        || case when e.next_action_on is null then ', no activity since ' || ${dayInWords(touchedOn(e, calendar))}
          else ', ' || ${dayInWords(sql`e.next_action_on`)} || ': ' || e.next_action end`,
      dueOn,
      days: sql`${today} - coalesce(e.next_action_on, ${touchedOn(e, calendar)})`,
      severity: 'warning',
      owner: sql`e.owner`,
      from: sql`${oslEntries} e join ${locations} l on l.id = e.location_id
        where ${isActive(e)} and ${dueOn} <= ${today}`,
    }
  },
}

export const oslKind: RecordKind = {
  table: oslEntries,
  noun: 'OSL entry',
  many: 'OSL entries',
  name: 'osl',
  calledBy: oslEntries.unit_number,
  unit: oslEntries.unit_number,
  page: ({ id }) => paths.osl.show(id),
  history: 'everybody',
  restore: { path: paths.osl.restore, role: 'user' },
  events: 'everybody',
  find: findOslEntry,
  isUse: true,
  about: (id) =>
    sql`(select l.location_name || ', ' || e.status || ': ' || left(e.problem, 60) from ${oslEntries} e
      join ${locations} l on l.id = e.location_id where e.id = ${id})`,
  search: [byNumber(5, 'RA', sql`x.ra_number`), byNumber(7, 'PO', sql`x.po_number`)],
  due: [followUp],
}

export const oslPartKinds: RecordKind[] = [
  {
    table: oslNotes,
    noun: 'OSL note',
    many: 'OSL notes',
    partOf: { kind: oslKind, key: oslNotes.osl_id, isNote: true },
  },
  {
    table: oslRates,
    noun: 'OSL rate',
    many: 'OSL rates',
    partOf: { kind: oslKind, key: oslRates.osl_id },
    timelineFields: ['from', 'daily_rate'],
  },
]
