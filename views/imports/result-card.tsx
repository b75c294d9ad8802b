import type { ReactNode } from 'react'

type RowMessage = { row: number; message: string }

export type ResultCardProps = {
  imported: number
  updated: number
  failed: number
  duplicates: number
  /** True if the user chose to skip probable mistakes. The skipped rows are then not only duplicates. */
  skip_conflicts?: boolean
  errors: RowMessage[]
  /** Rows that were skipped as duplicates, if the page has loaded them. */
  skipped?: RowMessage[]
  validation_errors: string[]
  /**
   * Result of reading the file. `conflicts` contains warnings about rows that are probably mistakes. `found` is
   * undefined if the page has not loaded the result.
   */
  found?: { conflicts?: string[] } | null
}

/**
 * Maximum number of messages in one list. The workbook with the failed rows, which users can download, contains all
 * errors.
 */
export const LISTED = 500

type Counts = Pick<ResultCardProps, 'imported' | 'updated' | 'failed'>

/** If rows were imported, the specification prescribes the first sentence. */
export const outcomeWords = ({ imported, updated, failed }: Counts) =>
  imported + updated > 0
    ? `File processed successfully! ${[
        `${imported} record${imported === 1 ? '' : 's'} imported`,
        ...(updated > 0 ? [`${updated} updated`] : []),
        ...(failed > 0 ? [`${failed} failed`] : []),
      ].join(', ')}`
    : 'No records were imported'

export const outcomeTone = ({ imported, updated, failed }: Counts) =>
  imported + updated > 0 && failed === 0 ? 'success' : 'warning'

export function ResultCard({
  imported,
  updated,
  failed,
  duplicates,
  skip_conflicts = false,
  errors,
  skipped = [],
  validation_errors,
  found,
}: ResultCardProps) {
  const warnings = [...(found?.conflicts ?? []), ...validation_errors]
  return (
    <section className="panel result-card" aria-label="Upload results">
      <h2>Results</h2>
      <dl className="result-counts">
        <Count label="Records Imported" value={imported} tone="success" />
        {updated > 0 && <Count label="Records Updated" value={updated} tone="success" />}
        {failed > 0 && <Count label="Failed Records" value={failed} tone="danger" />}
        {duplicates > 0 && (
          <Count label={skip_conflicts ? 'Rows Skipped' : 'Duplicates Skipped'} value={duplicates} tone="warning" />
        )}
      </dl>
      <RowMessages title="Errors" box="errors-box" rows={errors} total={failed}>
        Download the failed rows to see all errors.
      </RowMessages>
      <RowMessages title="Skipped rows" box="warnings-box" rows={skipped} total={duplicates} />
      {warnings.length > 0 && <Warnings warnings={warnings} />}
    </section>
  )
}

/** `children` is text that says where the user finds the remaining rows. */
function RowMessages({ title, box, rows, total, children }: RowMessagesProps) {
  if (rows.length === 0) return null
  const listed = Math.min(rows.length, LISTED)
  return (
    <>
      <h3>{title}</h3>
      <ul className={`scroll-box ${box}`} tabIndex={0} aria-label={title}>
        {rows.slice(0, LISTED).map(({ row, message }) => (
          <li key={row}>
            Row {row}: {message}
          </li>
        ))}
      </ul>
      {total > listed && (
        <p className="hint">
          Showing the first {listed} of {total.toLocaleString('en-US')}. {children}
        </p>
      )}
    </>
  )
}

type RowMessagesProps = {
  title: string
  box: 'errors-box' | 'warnings-box'
  rows: RowMessage[]
  total: number
  children?: ReactNode
}

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
