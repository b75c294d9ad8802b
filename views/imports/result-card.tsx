export type ResultCardProps = {
  imported: number
  updated: number
  failed: number
  duplicates: number
  errors: { row: number; message: string }[]
  validation_errors: string[]
}

/** Maximum number of errors and warnings on a page. The workbook of failed rows contains all of them. */
export const LISTED = 500

type Counts = Pick<ResultCardProps, 'imported' | 'updated' | 'failed'>

/** Heading of a result. The specification prescribes the text for imported rows. */
export const outcomeWords = ({ imported, updated, failed }: Counts) =>
  imported + updated > 0
    ? `File processed successfully! ${imported} records imported${failed > 0 ? `, ${failed} failed` : ''}`
    : 'No records were imported'

export const outcomeTone = ({ imported, updated, failed }: Counts) =>
  imported + updated > 0 && failed === 0 ? 'success' : 'warning'

/** The result of processing a file, for its page and the dropzone. */
export function ResultCard({ imported, updated, failed, duplicates, errors, validation_errors }: ResultCardProps) {
  return (
    <section className="panel result-card" aria-label="Upload results">
      <h2>Results</h2>
      <dl className="result-counts">
        <Count label="Records Imported" value={imported} tone="success" />
        {updated > 0 && <Count label="Records Updated" value={updated} tone="success" />}
        {failed > 0 && <Count label="Failed Records" value={failed} tone="danger" />}
        {duplicates > 0 && <Count label="Duplicates Skipped" value={duplicates} tone="warning" />}
      </dl>
      {errors.length > 0 && (
        <>
          <h3>Errors</h3>
          <ul className="scroll-box errors-box" tabIndex={0} aria-label="Errors">
            {errors.slice(0, LISTED).map(({ row, message }) => (
              <li key={row}>
                Row {row}: {message}
              </li>
            ))}
          </ul>
          {failed > Math.min(errors.length, LISTED) && (
            <p className="hint">
              Showing the first {Math.min(errors.length, LISTED)} of {failed.toLocaleString('en-US')}. Download the
              failed rows to see all errors.
            </p>
          )}
        </>
      )}
      {validation_errors.length > 0 && <Warnings warnings={validation_errors} />}
    </section>
  )
}

/** Values that were read differently from the file, or left out. */
export const Warnings = ({ warnings }: { warnings: string[] }) => (
  <>
    <h3>Validation Warnings</h3>
    <ul className="scroll-box warnings-box" tabIndex={0} aria-label="Validation warnings">
      {[...new Set(warnings)].slice(0, LISTED).map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  </>
)

function Count({ label, value, tone }: { label: string; value: number; tone: string }) {
  return (
    <div className={`result-count tone-${tone}`}>
      <dt>{label}</dt>
      <dd>{value.toLocaleString('en-US')}</dd>
    </div>
  )
}
