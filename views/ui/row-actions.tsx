import type { ReactNode } from 'react'

type Props = {
  /** What the row is, for whoever hears the links without their row: `transport of unit 100200`. */
  of: string
  edit: string
  remove?: string
  /** What comes before them. */
  children?: ReactNode
}

/** What can be done with a row: its own verbs, then to edit and to delete it in a dialog. */
export const RowActions = ({ of, edit, remove, children }: Props) => (
  <div className="row-actions">
    {children}
    <a href={edit} data-modal="" aria-label={`Edit ${of}`}>
      Edit
    </a>
    {remove && (
      <a href={remove} className="is-danger" data-modal="" aria-label={`Delete ${of}`}>
        Delete
      </a>
    )}
  </div>
)
