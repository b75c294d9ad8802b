import { StatusGlyph, type StatusShape } from './icons'

export type Tone = 'success' | 'danger' | 'warning' | 'info' | 'secondary'

const STATUSES: Record<string, { tone: Tone; shape: StatusShape }> = {
  Delivered: { tone: 'success', shape: 'dot' },
  'Vehicle Not Ready': { tone: 'danger', shape: 'square' },
  'Searching For Driver': { tone: 'warning', shape: 'half' },
  'Awaiting Pickup': { tone: 'info', shape: 'ring' },
  'In Transit': { tone: 'info', shape: 'triangle' },
}

const OSL_SHAPES: Record<string, StatusShape> = {
  'Out of Service': 'square',
  'Awaiting Parts': 'half',
  'In Repair': 'triangle',
}

/** Color tone of a transport status, as the specification prescribes. */
export const statusTone = (status: string): Tone => STATUSES[status]?.tone ?? 'secondary'

export function Badge({ tone, shape, children }: { tone: Tone; shape?: StatusShape | undefined; children: string }) {
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

export function OslBadge({ status }: { status: string }) {
  return (
    <Badge tone={status === 'Completed' ? 'success' : 'warning'} shape={OSL_SHAPES[status]}>
      {status}
    </Badge>
  )
}

const VEHICLE_STATUSES: Record<string, { tone: Tone; shape: StatusShape }> = {
  Available: { tone: 'success', shape: 'ring' },
  'In Transit': { tone: 'info', shape: 'triangle' },
  'Out of Service': { tone: 'warning', shape: 'square' },
}

/** The status can be any text, including unknown statuses. */
export const VehicleBadge = ({ status }: { status: string }) => (
  <Badge tone={VEHICLE_STATUSES[status]?.tone ?? 'secondary'} shape={VEHICLE_STATUSES[status]?.shape}>
    {status}
  </Badge>
)

/** Active is the normal state, so its badge has no color. */
export const ActiveBadge = ({ active }: { active: boolean }) =>
  active ? (
    <span className="badge">Active</span>
  ) : (
    <Badge tone="secondary" shape="ring">
      Inactive
    </Badge>
  )
