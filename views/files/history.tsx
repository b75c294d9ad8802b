import { DATA_TYPE_LABELS, type DataType } from '../../db/vocabulary'
import { paths } from '../../src/paths'
import { showCount, showInstant } from '../format'
import { TablePanel } from '../ui/plain-table'

export type UploadRow = {
  id: number
  data_type: DataType
  file_name: string
  imported: number
  failed: number
  duplicates: number
  created_at: Date
  created_by: string | null
}
export type UploadStats = { data_type: DataType; uploads: number; imported: number; failed: number; duplicates: number }

type Props = { uploads: UploadRow[]; stats: UploadStats[]; timeZone: string }

/** The latest uploads, each leading to its errors, and what all of them brought. */
export function UploadHistory({ uploads, stats, timeZone }: Props) {
  return (
    <>
      <TablePanel
        title="Latest uploads"
        caption="Latest uploads"
        rows={uploads}
        empty="Nothing was uploaded yet"
        columns={[
          { label: 'When', cell: (row) => showInstant(row.created_at, timeZone) },
          { label: 'By', cell: (row) => row.created_by ?? 'the system' },
          { label: 'File', cell: (row) => <a href={paths.files.result(row.id)}>{row.file_name}</a> },
          { label: 'Data type', cell: (row) => DATA_TYPE_LABELS[row.data_type] },
          { label: 'Imported', align: 'right', cell: (row) => showCount(row.imported) },
          { label: 'Failed', align: 'right', cell: (row) => showCount(row.failed) },
          { label: 'Duplicates', align: 'right', cell: (row) => showCount(row.duplicates) },
        ]}
      />
      {stats.length > 0 && (
        <p className="lead">
          {stats
            .map(({ data_type, uploads, imported }) => `${DATA_TYPE_LABELS[data_type]}: ${showCount(imported)} imported from ${showCount(uploads)} files`)
            .join(' · ')}
        </p>
      )}
    </>
  )
}
