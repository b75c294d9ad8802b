import type { ReactNode } from 'react'

type Props = {
  name: string
  edit: string
  toggle?: { isActive: boolean; id: number; version: number; activate: string; deactivate: string }
  remove?: string
  children?: ReactNode
}

/** What can be done with one row; dialogs and switches alike work as plain links and forms. */
export function RowActions({ name, edit, toggle, remove, children }: Props) {
  return (
    <div className="row-actions">
      <a href={edit} data-modal="" aria-label={`Edit ${name}`}>
        Edit
      </a>
      {children}
      {toggle && (
        <form method="post" action={toggle.isActive ? toggle.deactivate : toggle.activate} data-row-form="">
          <input type="hidden" name="version" value={toggle.version} />
          <button type="submit" className="link" id={`turn-${toggle.id}`} aria-label={`${toggle.isActive ? 'Deactivate' : 'Activate'} ${name}`}>
            {toggle.isActive ? 'Deactivate' : 'Activate'}
          </button>
        </form>
      )}
      {remove && (
        <a href={remove} className="is-danger" data-modal="" aria-label={`Delete ${name}`}>
          Delete
        </a>
      )}
    </div>
  )
}
