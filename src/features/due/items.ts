import { type SQL, sql } from 'drizzle-orm'
import { kinds } from '../../platform/kinds'
import { type DueCalendar, type DueRule, entityOf } from '../../platform/records/kind'

const quoted = (severity: SQL | string) => (typeof severity === 'string' ? sql`${severity}::text` : severity)

function itemsOf(entity: string, { name, items }: DueRule, calendar: DueCalendar): SQL {
  const { id, unit, text, dueOn, days, severity, owner = sql`null`, from } = items(calendar)
  return sql`select ${name}::text as kind, ${entity}::text as entity, ${id} as id, ${unit} as unit_number,
    ${text} as text,
    ${dueOn} as due_on, (${days})::int as days, ${quoted(severity)} as severity, (${owner})::text as owner from ${from}`
}

/**
 * Query for due items, including snoozed items. Without `only`, the query covers all kinds. The columns are `kind,
 * entity, id, unit_number, text, due_on, days, severity, owner`.
 */
export function dueItems(calendar: DueCalendar, only?: string | null): SQL {
  const selects = kinds('records').flatMap((record) =>
    (record.due ?? [])
      .filter(({ name }) => !only || name === only)
      .map((rule) => itemsOf(entityOf(record), rule, calendar)),
  )
  return sql.join(selects, sql` union all `)
}
