import { paths, withQuery } from '../../src/platform/paths'
import { capitalised, findKindByName, reportedPage } from '../../src/platform/records/kind'
import { NONE, showCount, showDate } from '../format'
import { Unit } from '../ui/cells'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { type Column, show, type Value } from './figures'

type Row = {
  id: number
  kind: string
  record_id: number
  unit_number: string
  day: string | null
  about: string | null
} & Record<string, Value>
type Query = {
  type: string
  start_date: string
  end_date: string
  location_id: number | null
  figure: string | null
  page: number
  per_page: number
}

type Props = {
  label: string
  query: Query & Record<string, unknown>
  /** Labels of the report row whose records the page lists. */
  row: string[]
  columns: Column[]
  rows: Row[]
  totals: Record<string, number>
  meta: { page: number; per_page: number; total: number; pages: number }
}

export function RecordsPage({ label, query, row, columns, rows, totals, meta }: Props) {
  const { type, start_date, end_date, location_id } = query
  const figure = columns.find(({ key }) => key === query.figure)
  const sum = figure?.sum && figure.kind !== 'count' ? `, ${show(figure.kind, totals[figure.key] ?? 0)} in total` : ''
  const description = [...row, ...(figure ? [figure.label] : [])].join(', ')
  return (
    <>
      <PageHead
        title={`Records behind ${label}`}
        lead={
          `${showDate(start_date)} to ${showDate(end_date)}${description ? `. ${description}` : ''}: ` +
          `${meta.total === 1 ? '1 record' : `${showCount(meta.total)} records`}${sum}`
        }
      >
        <a className="button" href={withQuery(paths.reports, { generate: 1, type, start_date, end_date, location_id })}>
          Back to the report
        </a>
      </PageHead>
      <List
        path={paths.reportRecords}
        query={query}
        meta={meta}
        rows={rows}
        caption={`Records behind ${label}`}
        empty={{
          title: 'No records',
          hint: 'No records are included in this figure any more. They may have changed since the report was made.',
        }}
        columns={[
          {
            label: 'Record',
            cell: (record) => (
              <a href={reportedPage(record.kind, record)}>
                {capitalised(findKindByName(record.kind)?.noun ?? record.kind)}
              </a>
            ),
          },
          { label: 'Unit #', cell: ({ unit_number }) => <Unit unit={unit_number} /> },
          { label: 'Date', cell: ({ day }) => showDate(day) },
          { label: 'About', cell: (record) => record.about ?? NONE },
          ...columns
            .filter(({ key, kind }) => kind !== 'count' || key === query.figure)
            .filter(({ key }) => key !== 'count')
            .map((column) => ({
              label: column.label,
              align: 'right' as const,
              cell: (record: Row) => show(column.kind, record[column.key] ?? null),
            })),
        ]}
      />
    </>
  )
}
