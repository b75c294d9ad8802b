import { kinds } from '../../src/platform/kinds'
import { paths } from '../../src/platform/paths'
import { capitalised, entityOf, kindOf, recordPage } from '../../src/platform/records/kind'
import { showCount, showInstant } from '../format'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { ACTION_WORDS, ActionBadge, Changes, type Entry, type Meta, SOURCE_WORDS, Source } from './changes'

type Query = {
  page: number
  per_page: number
  order: 'asc' | 'desc'
  sort: string
  q: string | null
  entity: string | null
  entity_id: number | null
  actor: string | null
  action: string | null
  source: string | null
  start_date: string | null
  end_date: string | null
}

const kindOptions = () =>
  kinds('records')
    .map((kind) => ({ value: entityOf(kind), label: capitalised(kind.many) }))
    .sort((a, b) => a.label.localeCompare(b.label))

/** Returns a name for a changed record. Examples are `Title, unit 100200`, `Location Tempe` and `Title 12`. */
export function recordName({ entity, entity_id, subject }: Pick<Entry, 'entity' | 'entity_id' | 'subject'>): string {
  const kind = capitalised(kindOf(entity)?.noun ?? entity)
  if (subject === null) return `${kind} ${entity_id}`
  return /^\d{6}$/.test(subject) ? `${kind}, unit ${subject}` : `${kind} ${subject}`
}

export function AuditPage({
  rows,
  query,
  meta,
  timeZone,
}: {
  rows: Entry[]
  query: Query
  meta: Meta
  timeZone: string
}) {
  const { start_date, end_date } = query
  const isReversed = start_date !== null && end_date !== null && end_date < start_date
  return (
    <>
      <PageHead title="Audit Trail" lead={`Changes: ${showCount(meta.total)}. Entries cannot be edited or deleted.`} />
      <List
        path={paths.audit}
        file={paths.api.auditExport}
        query={query}
        meta={meta}
        rows={rows}
        caption="Changes"
        isWrapped
        search="Search unit, plate, VIN, name or user"
        filters={[
          {
            name: 'entity',
            label: 'Record',
            any: 'All',
            options: kindOptions(),
          },
          { name: 'action', label: 'Action', any: 'All', options: labelled(ACTION_WORDS) },
          { name: 'source', label: 'Source', any: 'Any', options: labelled(SOURCE_WORDS) },
        ]}
        before={
          <>
            <label className="filter">
              <span>Dates</span>
              <input type="date" name="start_date" aria-label="Start date" defaultValue={query.start_date ?? ''} />
            </label>
            <label className="filter">
              <span>to</span>
              <input type="date" name="end_date" aria-label="End date" defaultValue={query.end_date ?? ''} />
            </label>
          </>
        }
        empty={{
          title: isReversed ? 'The end date is before the start date' : 'No changes',
          hint: <a href={paths.audit}>Clear the filters</a>,
        }}
        columns={[
          { label: 'When', sort: 'at', width: 145, cell: (entry) => showInstant(entry.at, timeZone) },
          { label: 'User', width: 90, cell: (entry) => entry.actor ?? 'Yardmaster' },
          { label: 'Source', width: 90, cell: (entry) => <Source entry={entry} /> },
          { label: 'Action', width: 80, cell: (entry) => <ActionBadge action={entry.action} /> },
          { label: 'Record', width: 180, cell: (entry) => <What entry={entry} /> },
          { label: 'Values', cell: (entry) => <Changes entry={entry} /> },
        ]}
      />
    </>
  )
}

const labelled = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))

function What({ entry }: { entry: Entry }) {
  // Link a deleted record to its history, which has the button that restores it.
  const to =
    entry.action === 'delete' && kindOf(entry.entity)?.restore
      ? paths.history(entry.entity, entry.entity_id)
      : recordPage(entry.entity, { id: entry.entity_id, unit_number: entry.subject ?? '' })
  const name = recordName(entry)
  return <span title={`Record ID ${entry.entity_id}`}>{to ? <a href={to}>{name}</a> : name}</span>
}
