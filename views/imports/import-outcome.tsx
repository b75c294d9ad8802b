import type { ReactNode } from 'react'
import { paths } from '../../src/platform/paths'
import { showCount, showInstant } from '../format'
import { type FixImport, records, type ShownImport } from './import-props'
import { outcomeTone, outcomeWords, ResultCard, type ResultCardProps } from './result-card'

export const downloadLabel = (failed: number) =>
  failed === 1 ? 'Download the failed row' : `Download the ${showCount(failed)} failed rows`

function Downloads({ upload: { id, failed }, children }: { upload: ShownImport; children?: ReactNode }) {
  return (
    <div className="actions-list">
      {failed > 0 && (
        <a className="button" href={paths.files.failed(id)}>
          {downloadLabel(failed)}
        </a>
      )}
      {children}
      <a className="button" href={paths.files.original(id)}>
        Download the original
      </a>
    </div>
  )
}

export const FixLink = ({ id, failed }: { id: number; failed: number }) => (
  <a className="button" href={paths.files.mend(id)}>
    {failed === 0 ? 'Edit the rows' : failed === 1 ? 'Fix the failed row' : 'Fix the failed rows'}
  </a>
)

/**
 * Buttons for the other sheets of a workbook. Each import reads only one sheet. The buttons open previews of the sheets
 * that no import has read yet. Hidden sheets have no button.
 */
function OtherSheets({ upload: { id, found }, readSheets }: { upload: ShownImport; readSheets: string[] }) {
  const others = (found?.sheets ?? []).filter(({ name, is_hidden }) => !is_hidden && !readSheets.includes(name))
  if (others.length === 0) return null
  return (
    <section className="panel">
      <p>
        This import read only one sheet: <strong>{found?.sheet}</strong>.
      </p>
      <form method="post" action={paths.files.sheets(id)} className="actions-list">
        {others.map(({ name }) => (
          <button key={name} type="submit" name="sheet" value={name} className="button">
            Preview {name}
          </button>
        ))}
      </form>
    </section>
  )
}

type ImportDoneProps = {
  upload: ShownImport
  /** Names of the sheets that this import or a later one read. */
  readSheets: string[]
  mendedBy: FixImport[]
} & Pick<ResultCardProps, 'errors' | 'skipped'>

export function ImportDone({ upload, errors, skipped, readSheets, mendedBy }: ImportDoneProps) {
  const isUndoable = upload.imported + upload.updated > 0
  const isFixed = mendedBy.some(({ status, row_count }) => status === 'done' && row_count >= upload.failed)
  return (
    <>
      <p className={`banner banner-${outcomeTone(upload)}`} role="status">
        {outcomeWords(upload)}
      </p>
      <ResultCard {...upload} errors={errors} skipped={skipped} />
      <OtherSheets upload={upload} readSheets={readSheets} />
      <section className="panel">
        <Downloads upload={upload}>
          {upload.failed > 0 && !isFixed && <FixLink id={upload.id} failed={upload.failed} />}
        </Downloads>
        {isUndoable && (
          <details className="undo">
            <summary>Undo this import…</summary>
            <p>
              {records(upload.imported)} that it created will be removed
              {upload.updated > 0 && (
                <> and {records(upload.updated)} that it updated will get their previous values back</>
              )}
              . Vehicles get their previous location, status and mileage back. Vehicles, locations and companies that it
              added are removed too, unless they are in use. Records changed after the import stay as they are and are
              listed afterwards.
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

const RECORD_LABELS: Record<string, string> = {
  vehicles: 'Vehicle',
  locations: 'Location',
  transport_companies: 'Transport company',
}

export function ImportUndone({ upload, timeZone }: { upload: ShownImport; timeZone: string }) {
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
          <h3>Records that were left as they are, because someone changed them after the import</h3>
          <ul className="scroll-box warnings-box" tabIndex={0} aria-label="Records that were not undone">
            {undo.kept.map(({ entity, id, label }) => (
              <li key={`${entity} ${id}`}>
                {RECORD_LABELS[entity] ? (
                  `${RECORD_LABELS[entity]} ${label}`
                ) : (
                  <a href={paths.vehicles.show(label)}>Unit {label}</a>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <Downloads upload={upload}>
        <form method="post" action={paths.files.sheets(upload.id)}>
          <button type="submit" className="button">
            Preview the file again
          </button>
        </form>
      </Downloads>
    </section>
  )
}

export function ImportEnded({ upload, text, tone }: { upload: ShownImport; text: string; tone: 'danger' | 'warning' }) {
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
