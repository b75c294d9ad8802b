import type { ReactNode } from 'react'
import { ActiveBadge } from '../ui/badge'
import type { Column } from '../ui/list-rows'
import { RowForm } from '../ui/row-form'

type Props = {
  name: string
  edit: string
  toggle?: { isActive: boolean; id: number; version: number; activate: string; deactivate: string }
  remove?: string
  /** True if the actions are too long for one line. */
  wraps?: boolean
  children?: ReactNode
}

/**
 * Links and buttons of a table row. Without scripts, the links open pages instead of dialogs, and the buttons send
 * plain forms.
 */
export function RowActions({ name, edit, toggle, remove, wraps, children }: Props) {
  return (
    <div className={wraps ? 'row-actions is-wrapped' : 'row-actions'}>
      <a href={edit} data-modal="" aria-label={`Edit ${name}`}>
        Edit
      </a>
      {children}
      {toggle && (
        <RowForm action={toggle.isActive ? toggle.deactivate : toggle.activate}>
          <input type="hidden" name="version" value={toggle.version} />
          <button
            type="submit"
            className="link"
            id={`turn-${toggle.id}`}
            aria-label={`${toggle.isActive ? 'Deactivate' : 'Activate'} ${name}`}
          >
            {toggle.isActive ? 'Deactivate' : 'Activate'}
          </button>
        </RowForm>
      )}
      {remove && (
        <a href={remove} className="is-danger" data-modal="" aria-label={`Delete ${name}`}>
          Delete
        </a>
      )}
    </div>
  )
}

type Switched = { id: number; version: number; is_active: boolean }
type MasterPaths = Record<'edit' | 'activate' | 'deactivate' | 'merge' | 'remove', (id: number) => string>

export const masterColumns = <Row extends Switched>(at: MasterPaths, nameOf: (row: Row) => string): Column<Row>[] => [
  { label: 'Status', width: 90, part: 'sum', cell: (row) => <ActiveBadge active={row.is_active} /> },
  {
    label: 'Actions',
    isOnCard: true,
    width: 206,
    isActions: true,
    cell: (row) => (
      <RowActions
        name={nameOf(row)}
        edit={at.edit(row.id)}
        toggle={{
          isActive: row.is_active,
          id: row.id,
          version: row.version,
          activate: at.activate(row.id),
          deactivate: at.deactivate(row.id),
        }}
        remove={at.remove(row.id)}
      >
        <a href={at.merge(row.id)} data-modal="" aria-label={`Merge ${nameOf(row)} into another`}>
          Merge
        </a>
      </RowActions>
    ),
  },
]

export const inactiveClass = ({ is_active }: Switched) => (is_active ? undefined : 'is-inactive')
