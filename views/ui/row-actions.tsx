import type { ReactNode } from 'react'

type Props = {
  /** What the row is called: said with the verb to whoever points at it, or hears the link without its row. */
  of: string
  edit: string
  remove?: string
  /** What comes before them. */
  children?: ReactNode
}

/** What can be done with a row: its own verbs, then to edit and delete it in a dialog; a table draws each as a sign. */
export const RowActions = ({ of, edit, remove, children }: Props) => (
  <div className="row-actions">
    {children}
    <a href={edit} className="icon-edit" data-modal="" title={`Edit ${of}`}>
      Edit
    </a>
    {remove && (
      <a href={remove} className="icon-delete" data-modal="" title={`Delete ${of}`}>
        Delete
      </a>
    )}
  </div>
)
