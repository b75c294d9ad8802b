import type { TimelineEntry } from '../../src/platform/audit/timeline'
import { withQuery } from '../../src/platform/paths'
import { kindOf } from '../../src/platform/records/kind'
import { TextArea } from './fields'
import { Form } from './form'
import type { FormState } from './form-state'
import { Track } from './track'

type Props = {
  entries: TimelineEntry[]
  /** True if `entries` does not contain the oldest notes. */
  hasMore: boolean
  page: string
  action: string
  form: FormState
  /**
   * Noun for the record in entries such as `title deleted`.
   * Entries about a part of the record, such as a rate, use the noun of the part.
   */
  noun: string
  entity: string
}

export function Notes({ entries, hasMore, page, action, form, noun, entity: own }: Props) {
  const notes = entries.filter(({ kind }) => kind === 'note').length
  return (
    <section className="panel" id="notes">
      <h2>Notes and changes</h2>
      <Form action={action} form={form} submit="Add note" busy="Adding..." isAside>
        <TextArea form={form} name="note_text" label="New note" required wide rows={2} max={5000} />
      </Form>
      {notes === 0 && <p className="empty-line">No notes yet</p>}
      <Track
        entries={entries.map((entry) =>
          entry.kind === 'create' && entry.entity === own ? { ...entry, changes: [] } : entry,
        )}
        what={({ kind, entity }) => (kind === 'update' ? null : entity === own ? noun : kindOf(entity)?.noun)}
      />
      {hasMore && (
        <p className="panel-foot">
          Only the latest {notes} notes are shown. <a href={withQuery(page, { notes: 'more' })}>Show more</a>
        </p>
      )}
    </section>
  )
}
