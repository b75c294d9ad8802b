import type { UploadStatus } from '../../db/vocabulary'
import { showCount } from '../format'

const STEPS: { status: UploadStatus; label: string; doing: string }[] = [
  { status: 'reading', label: 'Read', doing: 'Reading the file' },
  { status: 'checking', label: 'Check', doing: 'Looking for existing records' },
  { status: 'writing', label: 'Write', doing: 'Writing the records' },
]
const UNDO: typeof STEPS = [{ status: 'undoing', label: 'Undo', doing: 'Undoing the import' }]

/** True while an import runs and does not wait for the user. */
export const isAtWork = (status: UploadStatus) => [...STEPS, ...UNDO].some((step) => step.status === status)

type Props = { status: UploadStatus; progress: number; rowCount: number }

/** `progress` is in thousandths of the current step. */
export function ImportProgress({ status, progress, rowCount }: Props) {
  const steps = status === 'undoing' ? UNDO : STEPS
  const at = steps.findIndex((step) => step.status === status)
  const percent = Math.floor(progress / 10)
  return (
    <div className="import-progress">
      <ol className="steps" aria-label="Steps">
        {steps.map((step, n) => (
          <li key={step.status} className={n < at ? 'is-past' : undefined} aria-current={n === at ? 'step' : undefined}>
            {step.label}
          </li>
        ))}
      </ol>
      <progress max={1000} value={progress} aria-label={steps[at]?.doing} />
      <p role="status">
        {steps[at]?.doing}: {percent}%{rowCount > 0 && ` of ${showCount(rowCount)} rows`}
      </p>
    </div>
  )
}
