import { DATA_TYPE_LABELS, type DataType, type UploadStatus } from '../../db/vocabulary'
import { paths, withQuery } from '../../src/platform/paths'
import { showCount, showInstant } from '../format'
import { Badge } from '../ui/badge'
import { TablePanel } from '../ui/plain-table'
import { STATUSES } from './labels'

type UploadRow = {
  id: number
  data_type: DataType
  file_name: string
  status: UploadStatus
  imported: number
  updated: number
  failed: number
  duplicates: number
  created_at: Date
  created_by: string | null
}
type UploadStats = { data_type: DataType; uploads: number; imported: number; failed: number; duplicates: number }

export type HistoryProps = {
  open: UploadRow[]
  uploads: UploadRow[]
  pages: { current: number; last: number }
  stats: UploadStats[]
  timeZone: string
}

const pageLink = (page: number) => `${withQuery(paths.files.upload, { page })}#upload-history`

const status = (row: UploadRow) =>
  row.status === 'done' && row.imported + row.updated === 0 ? (
    <Badge tone="warning">Nothing imported</Badge>
  ) : (
    <Badge tone={STATUSES[row.status].tone}>{STATUSES[row.status].label}</Badge>
  )

export function UploadHistory({ open, uploads, pages, stats, timeZone }: HistoryProps) {
  return (
    <>
      {open.length > 0 && (
        <TablePanel
          title="In progress"
          caption="Imports in progress or waiting for you"
          rows={open}
          empty=""
          columns={[
            { label: 'File', cell: (row) => <a href={paths.files.import(row.id)}>{row.file_name}</a> },
            { label: 'Data type', cell: (row) => DATA_TYPE_LABELS[row.data_type] },
            { label: 'Status', cell: status },
            { label: 'When', cell: (row) => showInstant(row.created_at, timeZone) },
            { label: 'By', cell: (row) => row.created_by ?? 'the system' },
          ]}
        />
      )}
      <TablePanel
        title="Latest uploads"
        caption="Latest uploads"
        rows={uploads}
        empty="No uploads yet"
        columns={[
          { label: 'When', cell: (row) => showInstant(row.created_at, timeZone) },
          { label: 'By', cell: (row) => row.created_by ?? 'the system' },
          { label: 'File', cell: (row) => <a href={paths.files.import(row.id)}>{row.file_name}</a> },
          { label: 'Data type', cell: (row) => DATA_TYPE_LABELS[row.data_type] },
          { label: 'Status', cell: status },
          { label: 'Imported', align: 'right', cell: (row) => showCount(row.imported) },
          { label: 'Updated', align: 'right', cell: (row) => showCount(row.updated) },
          { label: 'Failed', align: 'right', cell: (row) => showCount(row.failed) },
          { label: 'Skipped', align: 'right', cell: (row) => showCount(row.duplicates) },
        ]}
      />
      {pages.last > 1 && (
        <nav className="row-actions" aria-label="Pages of the latest uploads">
          {pages.current > 1 && <a href={pageLink(pages.current - 1)}>Newer uploads</a>}
          <span>
            Page {pages.current} of {pages.last}
          </span>
          {pages.current < pages.last && <a href={pageLink(pages.current + 1)}>Older uploads</a>}
        </nav>
      )}
      {stats.length > 0 && (
        <p className="lead">
          {stats
            .map(
              ({ data_type, uploads, imported }) =>
                `${DATA_TYPE_LABELS[data_type]}: ${showCount(imported)} imported from ` +
                `${uploads === 1 ? '1 file' : `${showCount(uploads)} files`}`,
            )
            .join(' · ')}
        </p>
      )}
    </>
  )
}
