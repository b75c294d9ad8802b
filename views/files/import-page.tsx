import type { ReactNode } from 'react'
import type { Found } from '../../db/schema'
import { DATA_TYPE_LABELS, type DataType, type ImportMode, type RowOutcome, type UploadStatus } from '../../db/vocabulary'
import { missingColumns } from '../../src/files/columns'
import { paths } from '../../src/paths'
import { showCount, showInstant } from '../format'
import { Badge } from '../ui/badge'
import type { Option } from '../ui/form'
import { PageHead } from '../ui/page-head'
import { STATUSES } from './labels'
import { Preview, type PreviewRow } from './preview'
import { ImportProgress, isAtWork } from './progress'
import { Questions } from './questions'
import { ResultCard } from './result-card'

export type ShownImport = {
  id: number
  data_type: DataType
  file_name: string
  status: UploadStatus
  existing: ImportMode
  row_count: number
  progress: number
  imported: number
  updated: number
  failed: number
  duplicates: number
  message: string
  created_at: Date
  created_by: string | null
  undone_at: Date | null
  undone_by: string | null
  found: Found | null
  date_orders: Record<string, 'month' | 'day'>
  validation_errors: string[]
  undo: { removed: number; restored: number; kept: { entity: string; id: number; label: string }[] } | null
}

export type ImportPageProps = {
  upload: ShownImport
  timeZone: string
  errors: { row: number; message: string }[]
  problem?: string | undefined
  preview?: Pick<Parameters<typeof Preview>[0], 'counts' | 'query' | 'meta'> & { rows: PreviewRow[] }
  choices?: { locations: Option[]; companies: Option[]; isAdmin: boolean }
}

/** One import from its file to its undoing: whatever its status, this is its place. */
export function ImportPage({ upload, timeZone, errors, problem, preview, choices }: ImportPageProps) {
  const { id, status } = upload
  const path = paths.files.import(id)
  // While it works by itself the page looks again each second; without scripts the browser loads it anew.
  const again = isAtWork(status) ? { 'hx-get': path, 'hx-trigger': 'every 1s', 'hx-select': '#import', 'hx-target': '#import', 'hx-swap': 'outerHTML' } : {}
  return (
    <div id="import" {...again}>
      {isAtWork(status) && (
        <noscript>
          <meta httpEquiv="refresh" content="2" />
        </noscript>
      )}
      <PageHead
        title={upload.file_name}
        lead={`${DATA_TYPE_LABELS[upload.data_type]} · uploaded ${showInstant(upload.created_at, timeZone)} by ${upload.created_by ?? 'the system'}`}
      >
        <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>
      </PageHead>
      {problem && (
        <p className="banner banner-danger" role="alert">
          {problem}
        </p>
      )}
      {isAtWork(status) && <AtWork upload={upload} />}
      {status === 'ready' && preview && choices && <Ready upload={upload} preview={preview} choices={choices} />}
      {status === 'refused' && <Over upload={upload} text={upload.message || 'The file could not be read'} tone="danger" />}
      {status === 'done' && <Done upload={upload} errors={errors} />}
      {status === 'undone' && <Undone upload={upload} timeZone={timeZone} />}
      {status === 'cancelled' && <Over upload={upload} text={upload.message || 'Cancelled; nothing was imported'} tone="warning" />}
      <p className="page-foot">
        <a href={paths.files.upload}>Back to File Upload</a>
      </p>
    </div>
  )
}

function AtWork({ upload: { id, status, progress, row_count } }: { upload: ShownImport }) {
  return (
    <section className="panel" aria-label="Progress">
      <ImportProgress status={status} progress={progress} rowCount={row_count} />
      <p className="hint">You may leave this page; the work goes on, and this page is listed under File Upload.</p>
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

const records = (n: number) => `${showCount(n)} ${n === 1 ? 'record' : 'records'}`

function Ready({ upload, preview, choices }: { upload: ShownImport } & Required<Pick<ImportPageProps, 'preview' | 'choices'>>) {
  const { id, data_type, existing, found, date_orders } = upload
  if (!found) return null
  const isMissing = found.missing.length > 0
  return (
    <>
      <section className="panel">
        <p className="commit-line">
          {isMissing ? (
            <strong className="text-danger">{missingColumns(data_type, found)}. Choose their columns below.</strong>
          ) : (
            <>
              Nothing is written yet. Of <strong>{showCount(upload.row_count)}</strong> rows {commitWords(preview.counts)}.
            </>
          )}
        </p>
        <div className="actions-list commit-buttons">
          {!isMissing && (
            <form method="post" action={paths.files.commit(id)} data-busy="Importing...">
              <button type="submit" className="button button-primary">
                {commitLabel(preview.counts)}
              </button>
            </form>
          )}
          {preview.counts.error > 0 && (
            <a className="button" href={paths.files.failed(id)}>
              Download the {showCount(preview.counts.error)} failed {preview.counts.error === 1 ? 'row' : 'rows'}
            </a>
          )}
          <form method="post" action={paths.files.cancel(id)}>
            <button type="submit" className="button">
              Discard
            </button>
          </form>
        </div>
      </section>
      <Questions id={id} dataType={data_type} existing={existing} found={found} dateOrders={date_orders} {...choices} />
      {!isMissing && <Preview id={id} dataType={data_type} fields={found.fields} {...preview} />}
    </>
  )
}

function commitWords({ create, update, duplicate, error }: Record<RowOutcome, number>): string {
  const parts = [
    `${showCount(create)} will be created`,
    ...(update ? [`${showCount(update)} will be updated`] : []),
    `${showCount(duplicate)} ${duplicate === 1 ? 'is a duplicate' : 'are duplicates'} and skipped`,
    `${showCount(error)} cannot be imported`,
  ]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

const commitLabel = ({ create, update }: Record<RowOutcome, number>) => {
  if (!update) return `Import ${records(create)}`
  return create ? `Import ${records(create)} and update ${showCount(update)}` : `Update ${records(update)}`
}

function Downloads({ upload: { id, failed }, children }: { upload: ShownImport; children?: ReactNode }) {
  return (
    <div className="actions-list">
      {failed > 0 && (
        <a className="button" href={paths.files.failed(id)}>
          Download the {showCount(failed)} failed {failed === 1 ? 'row' : 'rows'}
        </a>
      )}
      <a className="button" href={paths.files.original(id)}>
        Download the original
      </a>
      {children}
    </div>
  )
}

function Done({ upload, errors }: { upload: ShownImport; errors: ImportPageProps['errors'] }) {
  const isUndoable = upload.imported + upload.updated > 0
  return (
    <>
      <ResultCard {...upload} errors={errors} />
      <section className="panel">
        <Downloads upload={upload} />
        {isUndoable && (
          <details className="undo">
            <summary>Undo this import…</summary>
            <p>
              {records(upload.imported)} that it created will be removed
              {upload.updated > 0 && <> and {records(upload.updated)} that it updated will get their old values again</>}. Records that someone has changed
              since stay as they are and are named afterwards.
            </p>
            <form method="post" action={paths.files.undo(upload.id)} className="form-buttons">
              <button type="submit" className="button button-danger">
                Undo the import
              </button>
            </form>
          </details>
        )}
      </section>
    </>
  )
}

function Undone({ upload, timeZone }: { upload: ShownImport; timeZone: string }) {
  const { undo, undone_at, undone_by } = upload
  return (
    <section className="panel">
      <h2>Undone</h2>
      <p>
        {undone_at && `${showInstant(undone_at, timeZone)} by ${undone_by ?? 'the system'}: `}
        {records(undo?.removed ?? 0)} removed, {records(undo?.restored ?? 0)} restored.
      </p>
      {undo && undo.kept.length > 0 && (
        <>
          <h3>Kept, because someone changed them since</h3>
          <ul className="scroll-box warnings-box" tabIndex={0} aria-label="Kept records">
            {undo.kept.map(({ entity, id, label }) => (
              <li key={`${entity} ${id}`}>{entity === 'vehicles' ? `Vehicle ${label}` : `Unit ${label}, record ${id}`}</li>
            ))}
          </ul>
        </>
      )}
      <Downloads upload={upload} />
    </section>
  )
}

function Over({ upload, text, tone }: { upload: ShownImport; text: string; tone: 'danger' | 'warning' }) {
  return (
    <section className="panel">
      <p className={`banner banner-${tone}`} role="alert">
        {text}
      </p>
      <Downloads upload={upload}>
        {upload.status === 'refused' && (
          <form method="post" action={paths.files.cancel(upload.id)}>
            <button type="submit" className="button">
              Discard
            </button>
          </form>
        )}
      </Downloads>
    </section>
  )
}
