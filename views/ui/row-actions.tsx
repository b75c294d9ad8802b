import type { ReactNode } from 'react'
import { RowIcon } from './icons'

type Props = {
  /** What the row is, for whoever hears the links without their row: `transport of unit 100200`. */
  of: string
  edit: string
  remove?: string
  /** What comes before them. */
  children?: ReactNode
}

/** What can be done with a row: its own verbs, then to edit and delete it in a dialog, which are signs in a table. */
export const RowActions = ({ of, edit, remove, children }: Props) => (
  <div className="row-actions">
    {children}
    <a href={edit} className="as-icon" data-modal="" title="Edit" aria-label={`Edit ${of}`}>
      <RowIcon name="edit" />
      <span>Edit</span>
    </a>
    {remove && (
      <a href={remove} className="as-icon is-danger" data-modal="" title="Delete" aria-label={`Delete ${of}`}>
        <RowIcon name="delete" />
        <span>Delete</span>
      </a>
    )}
  </div>
)
