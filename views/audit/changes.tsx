import type { AuditAction, ChangeSource } from '../../db/vocabulary'
import { fieldLabel } from '../../src/platform/field-label'
import { changedValue } from '../changed-value'
import { NONE } from '../format'
import { Badge } from '../ui/badge'
import { LongText } from '../ui/long-text'

export type Entry = {
  id: number
  at: Date
  actor: string | null
  source: ChangeSource
  address: string | null
  token_name: string | null
  action: AuditAction
  entity: string
  entity_id: number
  /** Name of the changed record, usually its unit number. */
  subject: string | null
  upload_id: number | null
  changes: { field: string; old: string | null; new: string | null }[]
}
export type Meta = { page: number; per_page: number; total: number; pages: number }

const TONES = { create: 'success', update: 'info', delete: 'danger', restore: 'warning' } as const
export const ACTION_WORDS: Record<AuditAction, string> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  restore: 'Restored',
}
export const SOURCE_WORDS: Record<ChangeSource, string> = {
  screen: 'Screen',
  api: 'API',
  import: 'Import',
  command: 'Command',
  schedule: 'Automatic',
}
const SHORT = 4

export const ActionBadge = ({ action }: { action: AuditAction }) => (
  <Badge tone={TONES[action]}>{ACTION_WORDS[action]}</Badge>
)

export const Source = ({ entry }: { entry: Entry }) => (
  <span title={entry.address ?? undefined}>
    {SOURCE_WORDS[entry.source]}
    {entry.upload_id ? ` ${entry.upload_id}` : ''}
    {entry.token_name ? `, token ${entry.token_name}` : ''}
  </span>
)

export function Changes({ entry: { changes, action } }: { entry: Entry }) {
  if (changes.length === 0) return NONE
  const list = (
    <dl className="changes">
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{fieldLabel(change.field)}</dt>
          <dd>
            {action === 'create' || action === 'restore' ? (
              <LongText text={changedValue(change.field, change.new)} />
            ) : action === 'delete' ? (
              <LongText text={changedValue(change.field, change.old)} />
            ) : (
              <>
                <del>
                  <LongText text={changedValue(change.field, change.old)} />
                </del>{' '}
                →{' '}
                <ins>
                  <LongText text={changedValue(change.field, change.new)} />
                </ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
  if (changes.length <= SHORT) return list
  return (
    <details>
      <summary>{changes.length} fields</summary>
      {list}
    </details>
  )
}
