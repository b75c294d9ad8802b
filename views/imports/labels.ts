import type { RowOutcome, UploadStatus } from '../../db/vocabulary'
import type { Tone } from '../ui/badge'

export const OUTCOMES: Record<RowOutcome, { label: string; tone: Tone }> = {
  create: { label: 'Create', tone: 'success' },
  update: { label: 'Update', tone: 'info' },
  duplicate: { label: 'Skip', tone: 'warning' },
  error: { label: 'Error', tone: 'danger' },
}

export const STATUSES: Record<UploadStatus, { label: string; tone: Tone }> = {
  reading: { label: 'Reading', tone: 'info' },
  checking: { label: 'Checking', tone: 'info' },
  ready: { label: 'Not imported yet', tone: 'warning' },
  refused: { label: 'Refused', tone: 'danger' },
  writing: { label: 'Writing', tone: 'info' },
  done: { label: 'Imported', tone: 'success' },
  undoing: { label: 'Undoing', tone: 'info' },
  undone: { label: 'Undone', tone: 'secondary' },
  cancelled: { label: 'Cancelled', tone: 'secondary' },
}
