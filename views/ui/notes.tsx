import { showInstant } from '../format'
import { TextArea } from './fields'
import { Form } from './form'
import type { FormState } from './form-state'

type Note = { id: number; note_text: string; created_at: Date; created_by: string | null }
type Props = { notes: Note[]; action: string; form: FormState; timeZone: string }

/** The notes of a record, newest first, and a field for the next one. Notes are never edited. */
export function Notes({ notes, action, form, timeZone }: Props) {
  return (
    <section className="panel" id="notes">
      <h2>Notes</h2>
      <Form action={action} form={form} submit="Add note" busy="Adding...">
        <TextArea form={form} name="note_text" label="New note" required wide rows={2} max={5000} />
      </Form>
      {notes.length === 0 ? (
        <p className="empty-line">No notes yet</p>
      ) : (
        <ul className="notes">
          {notes.map(({ id, note_text, created_at, created_by }) => (
            <li key={id}>
              <span className="by">
                {created_by ?? 'the system'}, {showInstant(created_at, timeZone)}
              </span>
              {note_text}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
