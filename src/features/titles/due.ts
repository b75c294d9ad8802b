import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { titles } from '../../../db/schema'
import { paths } from '../../platform/paths'
import type { DueRule } from '../../platform/records/kind'
import { dayInWords } from '../../platform/records/words'
import { daysPending, isOverdue, stageOf } from './sql'

const n = alias(titles, 'n')

export const titleDue: DueRule[] = [
  {
    name: 'title_overdue',
    rank: 3,
    label: 'Titles to follow up on',
    verb: 'Follow up',
    href: ({ id }) => paths.titles.chase(id),
    days: 'waiting',
    items(calendar) {
      const { title_days, title_danger_days } = calendar.lead
      const pending = daysPending(n, calendar.today())
      return {
        id: sql`n.id`,
        unit: sql`n.unit_number`,
        text: sql`'Pending since ' || ${dayInWords(sql`n.submitted_date`)} || coalesce(', ' || lower(${stageOf(n)}), '')
          || coalesce(', dealer ' || n.dealer_name, '')
          || coalesce(', last follow-up ' || ${dayInWords(sql`n.last_chased_on`)}, '')`,
        dueOn: sql`n.submitted_date + ${title_days}::int`,
        days: pending,
        severity: sql`case when ${pending} > ${title_danger_days}::int then 'danger' else 'warning' end`,
        from: sql`${titles} n where ${isOverdue(n, calendar.today(), title_days)}
          and (n.next_chase_on is null or n.next_chase_on <= ${calendar.today()}::date)`,
      }
    },
  },
]
