import type { RowOutcome } from '../../db/vocabulary'
import { fieldLabel } from '../../src/platform/field-label'
import { paths, withQuery } from '../../src/platform/paths'
import { NONE, showCount, showDate } from '../format'
import { Badge } from '../ui/badge'
import { List } from '../ui/list'
import type { Column } from '../ui/list-rows'
import { Tabs } from '../ui/tabs'
import type { ShownColumns } from './guidelines'
import { OUTCOMES } from './labels'

export type PreviewRow = {
  row: number
  outcome: RowOutcome
  values: Record<string, string | null>
  notes: string[]
  message: string | null
}
type Props = {
  id: number
  columns: ShownColumns
  fields: (string | null)[]
  rows: PreviewRow[]
  counts: Record<RowOutcome, number>
  query: { page: number; per_page: number; outcome: RowOutcome | null }
  meta: { page: number; per_page: number; total: number; pages: number }
}

export function Preview({ id, columns: { required, optional }, fields, rows, counts, query, meta }: Props) {
  const path = paths.files.import(id)
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const shownFields = [...required, ...optional].filter(({ name }) => fields.includes(name))
  const tab = (outcome: RowOutcome | null, label: string, n: number) => ({
    href: withQuery(path, { outcome }),
    label: `${label} (${showCount(n)})`,
    isCurrent: query.outcome === outcome,
  })
  const columns: Column<PreviewRow & { id: number }>[] = [
    { label: 'Row', align: 'right', cell: ({ row }) => showCount(row) },
    { label: 'Outcome', cell: ({ outcome }) => <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Badge> },
    { label: 'Messages', cell: (row) => <Notes {...row} /> },
    ...shownFields.map(({ name, kind }) => ({
      label: fieldLabel(name),
      cell: (row: PreviewRow) => <Cell text={valueIn(row, name, kind === 'flag')} />,
    })),
  ]
  return (
    <>
      <Tabs
        label="Rows by outcome"
        tabs={[
          tab(null, 'All rows', all),
          tab('create', 'Create', counts.create),
          ...(counts.update || query.outcome === 'update' ? [tab('update', 'Update', counts.update)] : []),
          tab('duplicate', 'Skip', counts.duplicate),
          tab('error', 'Errors', counts.error),
        ]}
      />
      <List
        path={path}
        query={query}
        meta={meta}
        rows={rows.map((row) => ({ ...row, id: row.row }))}
        columns={columns}
        keep={query.outcome ? { outcome: query.outcome } : {}}
        caption="Rows of the file"
        empty={{ title: 'No rows with this outcome', hint: <a href={path}>All rows</a> }}
      />
    </>
  )
}

const LONG_TEXT_LENGTH = 24

const Cell = ({ text }: { text: string }) => (
  <span className={`preview-cell${text.length > LONG_TEXT_LENGTH ? ' is-long' : ''}`}>{text}</span>
)

/**
 * Returns the value to display for a field. In a failed row, this is the value in the file. In all other rows, it is
 * the value that will be stored.
 */
function valueIn({ values }: PreviewRow, field: string, isFlag: boolean): string {
  const value = values[field] ?? null
  if (value === null) return NONE
  if (isFlag && /^(?:true|false)$/.test(value)) return value === 'true' ? 'Yes' : 'No'
  return /^\d{4}-\d\d-\d\d$/.test(value) ? showDate(value) : value
}

function Notes({ message, notes, outcome }: PreviewRow) {
  if (!message && notes.length === 0) return <>{NONE}</>
  return (
    <ul className="preview-notes">
      {message && <li className={outcome === 'error' ? 'text-danger' : undefined}>{message}</li>}
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
