import { type ALIAS_KINDS, DATA_TYPE_LABELS, type DataType } from '../../db/vocabulary'
import { fieldLabel } from '../../src/platform/field-label'
import { paths } from '../../src/platform/paths'
import { showInstant } from '../format'
import { PageHead } from '../ui/page-head'
import { TablePanel } from '../ui/plain-table'

export type RememberedAlias = {
  id: number
  kind: (typeof ALIAS_KINDS)[number]
  data_type: DataType | null
  alias: string
  field: string | null
  value: string | null
  location_name: string | null
  transport_company_name: string | null
  updated_at: Date
  updated_by: string | null
}

const ALIAS_KIND_LABELS = {
  column: 'Column',
  location: 'Location',
  company: 'Transport company',
  value: 'Columns of a sheet',
  word: 'Value',
}

export function RememberedPage({ aliases, timeZone }: { aliases: RememberedAlias[]; timeZone: string }) {
  return (
    <>
      <PageHead
        title="Remembered names"
        lead="Column names and spellings from earlier imports. The importer uses them for every later file."
      />
      <TablePanel
        title="Names in files"
        caption="Names in files and their matches"
        rows={aliases}
        empty="No remembered names yet"
        columns={[
          { label: 'In the file', cell: (row) => <strong>{row.alias}</strong> },
          {
            label: 'Type',
            cell: (row) =>
              row.data_type
                ? `${ALIAS_KIND_LABELS[row.kind]} of ${DATA_TYPE_LABELS[row.data_type]}`
                : ALIAS_KIND_LABELS[row.kind],
          },
          {
            label: 'Stands for',
            cell: (row) =>
              row.kind === 'word'
                ? `${fieldLabel(row.field ?? '')}: ${row.value ?? 'blank'}`
                : row.value
                  ? `${fieldLabel(row.field ?? '')}: ${row.value} in all rows`
                  : row.field
                    ? fieldLabel(row.field)
                    : (row.location_name ?? row.transport_company_name),
          },
          {
            label: 'Saved',
            cell: (row) => `${showInstant(row.updated_at, timeZone)} by ${row.updated_by ?? 'the system'}`,
          },
          {
            label: 'Actions',

            cell: (row) => (
              <form method="post" action={paths.files.forget(row.id)}>
                <button type="submit" className="link">
                  Forget
                </button>
              </form>
            ),
          },
        ]}
      />
      <p className="page-foot">
        <a href={paths.files.upload}>Back to File Upload</a>
      </p>
    </>
  )
}
