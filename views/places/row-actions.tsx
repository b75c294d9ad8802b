import { ActiveBadge } from '../ui/badge'
import type { Column } from '../ui/list-rows'
import { RowActions } from '../ui/row-actions'
import { RowForm } from '../ui/row-form'

type ToggleProps = {
  name: string
  isActive: boolean
  id: number
  version: number
  activate: string
  deactivate: string
}

export const ToggleButton = ({ name, isActive, id, version, activate, deactivate }: ToggleProps) => (
  <RowForm action={isActive ? deactivate : activate}>
    <input type="hidden" name="version" value={version} />
    <button
      type="submit"
      className="link"
      id={`turn-${id}`}
      aria-label={`${isActive ? 'Deactivate' : 'Activate'} ${name}`}
    >
      {isActive ? 'Deactivate' : 'Activate'}
    </button>
  </RowForm>
)

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
      <RowActions label={nameOf(row)} edit={at.edit(row.id)} remove={at.remove(row.id)}>
        <a href={at.merge(row.id)} data-modal="" aria-label={`Merge ${nameOf(row)} into another`}>
          Merge
        </a>
        <ToggleButton
          name={nameOf(row)}
          isActive={row.is_active}
          id={row.id}
          version={row.version}
          activate={at.activate(row.id)}
          deactivate={at.deactivate(row.id)}
        />
      </RowActions>
    ),
  },
]

export const inactiveClass = ({ is_active }: Switched) => (is_active ? undefined : 'is-inactive')
