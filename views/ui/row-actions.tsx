import type { ReactNode } from 'react'

type Props = {
  /** Name of the row's record, for tooltips and screen readers. */
  label: string
  edit: string
  remove?: string
  wraps?: boolean
  children?: ReactNode
}

/** Width in pixels of a column with this many action icons. */
export const actionsWidth = (icons: number) => 28 * icons + 10

/**
 * Actions of a row: `children`, Edit and Delete. Edit and Delete open in a dialog. Without scripts, they open as pages.
 * Tables show Edit and Delete as icons.
 */
export const RowActions = ({ label, edit, remove, wraps, children }: Props) => (
  <div className={wraps ? 'row-actions is-wrapped' : 'row-actions'}>
    {children}
    <a href={edit} className="icon-edit" data-modal="" title={`Edit ${label}`}>
      Edit
    </a>
    {remove && (
      <a href={remove} className="icon-delete" data-modal="" title={`Delete ${label}`}>
        Delete
      </a>
    )}
  </div>
)
