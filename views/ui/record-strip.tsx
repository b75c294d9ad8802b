import type { ReactNode } from 'react'
import { HIDDEN, NONE } from '../format'

type Fact = [label: string, value: ReactNode]

type Props = {
  /** Blank values are left out. */
  facts: Fact[]
  /** Labels and numbers in large type after the `facts`. */
  figures?: (Fact | [...Fact, tone: 'alarm' | undefined])[]
}

const isBlank = (value: ReactNode) => value === null || value === undefined || value === NONE || value === HIDDEN

export function RecordStrip({ facts, figures = [] }: Props) {
  return (
    <dl className="record-strip">
      {facts
        .filter(([, value]) => !isBlank(value))
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      {figures
        .filter(([, value]) => !isBlank(value))
        .map(([label, value, tone]) => (
          <div key={label} className="is-figure">
            <dt>{label}</dt>
            <dd className={tone && 'figure-alarm'}>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
