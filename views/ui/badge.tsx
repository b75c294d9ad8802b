import { StatusGlyph, type StatusShape } from './icons'

export type Tone = 'success' | 'danger' | 'warning' | 'info' | 'secondary'

const STATUSES: Record<string, { tone: Tone; shape: StatusShape }> = {
  Delivered: { tone: 'success', shape: 'check' },
  'Vehicle Not Ready': { tone: 'danger', shape: 'alert' },
  'Searching For Driver': { tone: 'warning', shape: 'half' },
  'Awaiting Pickup': { tone: 'info', shape: 'ring' },
  'In Transit': { tone: 'info', shape: 'arrow' },
}

/** The colour that the specification gives a transport status; anything else is secondary. */
export const statusTone = (status: string): Tone => STATUSES[status]?.tone ?? 'secondary'

export function Badge({ tone, shape, children }: { tone: Tone; shape?: StatusShape; children: string }) {
  return (
    <span className={`badge badge-${tone}`}>
      <StatusGlyph shape={shape ?? 'dot'} />
      {children}
    </span>
  )
}

export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge tone={statusTone(status)} shape={STATUSES[status]?.shape}>
      {status}
    </Badge>
  )
}

/** An OSL status: a warning wherever it stands, until the entry is completed. */
export function OslBadge({ status }: { status: string }) {
  const isCompleted = status === 'Completed'
  return (
    <Badge tone={isCompleted ? 'success' : 'warning'} shape={isCompleted ? 'check' : 'alert'}>
      {status}
    </Badge>
  )
}

export function ActiveBadge({ active }: { active: boolean }) {
  return active ? (
    <Badge tone="success" shape="check">
      Active
    </Badge>
  ) : (
    <Badge tone="secondary" shape="ring">
      Inactive
    </Badge>
  )
}
