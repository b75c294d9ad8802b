import { DATA_TYPE_LABELS } from '../../db/vocabulary'
import { BACKGROUND_HEADER } from '../../src/platform/background-header'
import { paths, withQuery } from '../../src/platform/paths'
import { showInstant } from '../format'
import { Badge } from '../ui/badge'
import { PageHead } from '../ui/page-head'
import { ImportDone, ImportEnded, ImportUndone } from './import-outcome'
import { type FixImport, records, type ShownImport } from './import-props'
import { type NameChoices, Ready, type ShownPreview } from './import-ready'
import { STATUSES } from './labels'
import { ImportProgress, isAtWork } from './progress'
import type { ResultCardProps } from './result-card'

type ImportPageProps = {
  upload: ShownImport
  mendedBy: FixImport[]
  readSheets: string[]
  timeZone: string
  problem?: string | undefined
  /**
   * True if the import button only applied new answers. The import has not started, so that the user can check the new
   * preview.
   */
  isApplied?: boolean
  preview?: ShownPreview
  choices?: NameChoices
} & Pick<ResultCardProps, 'errors' | 'skipped'>

export function ImportPage({
  upload,
  mendedBy,
  readSheets,
  timeZone,
  errors,
  skipped,
  problem,
  isApplied,
  preview,
  choices,
}: ImportPageProps) {
  const { id, status } = upload
  const path = paths.files.import(id)
  // While the import runs, a script updates the page every second. Without scripts, the browser reloads the page every
  // two seconds.
  const polling = isAtWork(status)
    ? {
        'hx-get': isApplied ? withQuery(path, { applied: 1 }) : path,
        'hx-trigger': 'every 1s',
        'hx-headers': JSON.stringify({ [BACKGROUND_HEADER]: '1' }),
        'hx-select': '#import',
        'hx-target': '#import',
        'hx-swap': 'outerHTML',
      }
    : {}
  return (
    <div id="import" {...polling}>
      {isAtWork(status) && (
        <noscript>
          <meta httpEquiv="refresh" content="2" />
        </noscript>
      )}
      <PageHead
        title={upload.file_name}
        lead={
          `${DATA_TYPE_LABELS[upload.data_type]} · uploaded ${showInstant(upload.created_at, timeZone)} by ` +
          `${upload.created_by ?? 'the system'}`
        }
      >
        <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>
      </PageHead>
      {problem && (
        <p className="banner banner-danger" role="alert">
          {problem}
        </p>
      )}
      {isApplied && status === 'ready' && (
        <p className="banner banner-warning" role="status">
          Nothing is imported yet. Your answers were applied; check the updated preview, then import.
        </p>
      )}
      <Fixes upload={upload} mendedBy={mendedBy} />
      {isAtWork(status) && <AtWork upload={upload} />}
      {status === 'ready' && preview && choices && <Ready upload={upload} preview={preview} choices={choices} />}
      {status === 'refused' && (
        <ImportEnded upload={upload} text={upload.message || 'The file could not be read'} tone="danger" />
      )}
      {status === 'done' && <ImportDone {...{ upload, errors, skipped, readSheets, mendedBy }} />}
      {status === 'undone' && <ImportUndone upload={upload} timeZone={timeZone} />}
      {status === 'cancelled' && (
        <ImportEnded upload={upload} text={upload.message || 'Cancelled; nothing was imported'} tone="warning" />
      )}
      <p className="page-foot">
        <a href={paths.files.upload}>Back to File Upload</a>
      </p>
    </div>
  )
}

function Fixes({ upload: { mends }, mendedBy }: Pick<ImportPageProps, 'upload' | 'mendedBy'>) {
  if (mends === null && mendedBy.length === 0) return null
  return (
    <ul className="notes mending">
      {mends !== null && (
        <li>
          This import contains corrected rows from <a href={paths.files.import(mends)}>an earlier import</a>
        </li>
      )}
      {mendedBy.map(({ id, file_name, status, imported, updated }) => (
        <li key={id}>
          Corrected copy of the failed rows: <a href={paths.files.import(id)}>{file_name}</a>, {STATUSES[status].label}
          {status === 'done' && `, ${records(imported + updated)}`}
        </li>
      ))}
    </ul>
  )
}

function AtWork({ upload: { id, status, progress, row_count } }: { upload: ShownImport }) {
  return (
    <section className="panel" aria-label="Progress">
      <ImportProgress status={status} progress={progress} rowCount={row_count} />
      <p className="hint">You can leave this page. The import continues and is listed under File Upload.</p>
      {status !== 'undoing' && (
        <form method="post" action={paths.files.cancel(id)} className="form-buttons">
          <button type="submit" className="button">
            Cancel the import
          </button>
        </form>
      )}
    </section>
  )
}
