import { AUDIT_ACTIONS, CHANGE_SOURCES } from '../../db/vocabulary'
import { entityPath, paths } from '../../src/platform/paths'
import { showCount, showInstant } from '../format'
import { optionsOf } from '../ui/fields'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { ActionBadge, Changes, type Entry, type Meta, Source } from './changes'

type Query = {
  page: number
  per_page: number
  order: 'asc' | 'desc'
  sort: string
  entity: string | null
  entity_id: number | null
  actor: string | null
  action: string | null
  source: string | null
  start_date: string | null
  end_date: string | null
}

/** What there is to filter by, as people call it; the values are the tables' names. */
const ENTITIES = {
  transports: 'Transports',
  osl_entries: 'OSL entries',
  osl_notes: 'OSL notes',
  registrations: 'Registrations',
  titles: 'Titles',
  title_notes: 'Title notes',
  vehicles: 'Vehicles',
  locations: 'Locations',
  transport_companies: 'Transport companies',
  vendors: 'Vendors',
  users: 'Users',
  api_tokens: 'API tokens',
  uploads: 'Imports',
  import_aliases: 'Remembered names',
  osl_rates: 'OSL rates',
  vendor_invoices: 'Invoices',
  budgets: 'Budgets',
  vendor_invoice_lines: 'Invoice lines',
  due_snoozes: 'Put off',
  due_assignments: 'Assigned work',
  company_settings: 'Settings',
  saved_views: 'Views',
  list_layouts: 'Columns of lists',
  report_schedules: 'Report schedules',
  report_runs: 'Report runs',
} as const

/** One of them, as people call it. */
const RECORDS: Record<string, string> = {
  transports: 'Transport',
  osl_entries: 'OSL entry',
  osl_notes: 'OSL note',
  registrations: 'Registration',
  titles: 'Title',
  title_notes: 'Title note',
  vehicles: 'Vehicle',
  locations: 'Location',
  transport_companies: 'Transport company',
  vendors: 'Vendor',
  users: 'User',
  api_tokens: 'API token',
  uploads: 'Import',
  import_aliases: 'Remembered name',
  osl_rates: 'OSL rate',
  vendor_invoices: 'Invoice',
  budgets: 'Budget',
  vendor_invoice_lines: 'Invoice line',
  due_snoozes: 'Put off',
  due_assignments: 'Assigned work',
  company_settings: 'Settings',
  saved_views: 'View',
  list_layouts: 'Columns of user',
  report_schedules: 'Report schedule',
  report_runs: 'Report run',
} satisfies Record<keyof typeof ENTITIES, string>

/** `Title, unit 100200`, `Location Tempe`, or by its number when it is called nothing. */
export function recordName({ entity, entity_id, subject }: Pick<Entry, 'entity' | 'entity_id' | 'subject'>): string {
  const kind = RECORDS[entity] ?? entity
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
  return (
    <>
      <PageHead title="Audit Trail" lead={`${showCount(meta.total)} changes. Nobody can edit or delete an entry.`} />
      <List
        path={paths.audit}
        file={paths.api.auditExport}
        query={query}
        meta={meta}
        rows={rows}
        caption="Changes"
        filters={[
          {
            name: 'entity',
            label: 'What',
            any: 'All',
            options: Object.entries(ENTITIES).map(([value, label]) => ({ value, label })),
          },
          { name: 'action', label: 'Change', any: 'All', options: optionsOf(AUDIT_ACTIONS) },
          { name: 'source', label: 'From', any: 'Any', options: optionsOf(CHANGE_SOURCES) },
        ]}
        before={
          <>
            <label className="filter">
              <span>Who</span>
              <input name="actor" defaultValue={query.actor ?? ''} maxLength={50} autoComplete="off" size={7} />
            </label>
            <label className="filter">
              <span>Number</span>
              <input
                name="entity_id"
                defaultValue={query.entity_id ?? ''}
                inputMode="numeric"
                maxLength={10}
                autoComplete="off"
                size={5}
              />
            </label>
            <label className="filter">
              <span>Days</span>
              <input type="date" name="start_date" aria-label="From day" defaultValue={query.start_date ?? ''} />
            </label>
            <label className="filter">
              <span>to</span>
              <input type="date" name="end_date" aria-label="To day" defaultValue={query.end_date ?? ''} />
            </label>
          </>
        }
        empty={{ title: 'No changes', hint: <a href={paths.audit}>Clear the filters</a> }}
        columns={[
          { label: 'When', sort: 'at', cell: (entry) => showInstant(entry.at, timeZone) },
          { label: 'Who', cell: (entry) => entry.actor ?? 'Yardmaster' },
          { label: 'From', cell: (entry) => <Source entry={entry} /> },
          { label: 'Change', cell: (entry) => <ActionBadge action={entry.action} /> },
          { label: 'What', cell: (entry) => <What entry={entry} /> },
          { label: 'Values', cell: (entry) => <Changes entry={entry} /> },
        ]}
      />
    </>
  )
}

function What({ entry }: { entry: Entry }) {
  const to =
    entry.entity === 'vehicles' && entry.subject
      ? paths.vehicles.show(entry.subject)
      : entityPath(entry.entity, entry.entity_id)
  const name = recordName(entry)
  return <span title={`Number ${entry.entity_id}`}>{to ? <a href={to}>{name}</a> : name}</span>
}
