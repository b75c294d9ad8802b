import { DATA_TYPE_LABELS, DATA_TYPES, type DataType } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { Island } from '../island'
import { PageHead } from '../ui/page-head'
import type { ShownColumns } from './guidelines'
import { type HistoryProps, UploadHistory } from './history'
import { ResultCard, type ResultCardProps } from './result-card'

type Props = {
  columns: Record<DataType, ShownColumns>
  dataType: string
  maxBytes: number
  isAdmin: boolean
  sampleNames: { locations: string[]; company: string; exist: boolean }
  history: HistoryProps
  message?: { tone: 'success' | 'warning' | 'danger'; text: string } | undefined
  result?: (ResultCardProps & { id: number }) | undefined
}

export function UploadPage({ columns, dataType, maxBytes, isAdmin, sampleNames, history, message, result }: Props) {
  const kindOptions = DATA_TYPES.map((value) => ({
    value,
    label: DATA_TYPE_LABELS[value],
    required: columns[value].required.map(({ name, about }) => ({ name, about })),
    optional: columns[value].optional.map(({ name, about }) => ({ name, about })),
    sample: paths.files.sample(value),
  }))
  return (
    <>
      <PageHead
        title="File Upload & Processing"
        lead="Import records from a spreadsheet. Valid rows are imported even if others fail. You can undo any import."
      />
      {message && (
        <p className={`banner banner-${message.tone}`} role="alert">
          {message.text}
        </p>
      )}
      {result && (
        <>
          <ResultCard {...result} />
          <p className="page-foot">
            <a href={paths.files.import(result.id)}>Open this import</a> to undo it, or to fix or download its failed
            rows.
          </p>
        </>
      )}
      <Island
        name="dropzone"
        id="dropzone"
        props={{
          action: paths.files.upload,
          api: paths.api.imports,
          files: paths.api.files,
          pages: paths.files.imports,
          maxBytes,
          dataType,
          kinds: kindOptions,
        }}
      />
      {history.uploads.length === 0 && (
        <section className="panel">
          <h2>Before the first upload</h2>
          <p>
            Locations and transport companies are matched by name or code and must exist. The sample spreadsheets use
            the locations <strong>{sampleNames.locations.join(', ')}</strong> and the transport company{' '}
            <strong>{sampleNames.company}</strong>
            {sampleNames.exist ? '.' : ', which do not exist yet.'}{' '}
            {isAdmin ? (
              <>
                Add locations and companies under <a href={paths.locations.list}>Manage Locations</a> and{' '}
                <a href={paths.transportCompanies.list}>Transport Companies</a>.
              </>
            ) : (
              'An administrator can add locations and companies on the pages Manage Locations and Transport Companies.'
            )}
          </p>
        </section>
      )}
      <div id="upload-history">
        <UploadHistory {...history} />
      </div>
      <p className="lead">
        To add a few rows without a file, <a href={paths.files.paste}>paste them</a> or{' '}
        <a href={paths.files.grid}>type them in a table</a>.
      </p>
      <p className="lead">
        Spellings and column names saved from earlier imports: <a href={paths.files.remembered}>Remembered names</a>.
      </p>
    </>
  )
}
