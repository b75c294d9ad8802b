import { asc, sql } from 'drizzle-orm'
import { locations, titleNotes, titles } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { RecordKind } from '../../platform/records/kind'
import { dayInWords } from '../../platform/records/words'
import { titleBulk } from './bulk'
import { titleDue } from './due'
import { findTitle } from './queries'
import { isPending } from './sql'

export const titleKind: RecordKind = {
  table: titles,
  noun: 'title',
  many: 'titles',
  calledBy: titles.unit_number,
  unit: titles.unit_number,
  page: ({ id }) => paths.titles.show(id),
  history: 'everybody',
  restore: { path: paths.titles.restore, role: 'user' },
  events: 'everybody',
  find: findTitle,
  isUse: true,
  about: (id) =>
    sql`(select concat_ws(', ', l.location_name, t.dealer_name) from ${titles} t
      join ${locations} l on l.id = t.location_id where t.id = ${id})`,
  due: titleDue,
  scan: {
    name: 'transferred',
    tab: 'Transfer titles',
    verb: 'Title transferred',
    done: (unit) => `The title of unit ${unit} is transferred`,
    day: 'Transferred',
    bulk: titleBulk,
    open: isPending(titles),
    order: [asc(titles.submitted_date), asc(titles.id)],
    words: () => sql`'submitted ' || ${dayInWords(titles.submitted_date)}`,
    none: 'no title pending',
    several: 'titles pending',
    set: (on) => ({ transferred_date: on }),
  },
}

export const titleNoteKind: RecordKind = {
  table: titleNotes,
  noun: 'title note',
  many: 'title notes',
  partOf: { kind: titleKind, key: titleNotes.title_id, isNote: true },
}
