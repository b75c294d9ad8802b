import { paths } from '../../src/platform/paths'
import { showInstant } from '../format'
import { Island } from '../island'
import { statusFilter } from '../places/filters'
import type { UserRow } from '../places/index-props'
import { ToggleButton } from '../places/row-actions'
import { ActiveBadge } from '../ui/badge'
import { Full } from '../ui/cells'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { type Column, ListRow } from '../ui/list-rows'
import { PageHead } from '../ui/page-head'
import { RowActions } from '../ui/row-actions'

type Props = {
  rows: UserRow[]
  query: {
    page: number
    per_page: number
    q: string | null
    sort: string
    order: 'asc' | 'desc'
    role: string | null
    is_active?: boolean | undefined
  }
  meta: { page: number; per_page: number; total: number; pages: number }
  /** Username of the signed-in administrator. This user cannot deactivate their own account. */
  self: string
  timeZone: string
}

const ROLE_OPTIONS = [
  { value: 'admin', label: 'Administrator' },
  { value: 'user', label: 'User' },
]

const columns = (self: string, timeZone: string): Column<UserRow>[] => [
  {
    label: 'Username',
    sort: 'username',
    width: 104,
    part: 'unit',
    cell: (row) => <strong title={row.username}>{row.username}</strong>,
  },
  {
    label: 'Name',
    part: 'main',
    sort: 'last_name',
    cell: (row) => <Full text={[row.first_name, row.last_name].filter(Boolean).join(' ')} />,
  },
  {
    label: 'Role',
    sort: 'role',
    width: 104,
    part: 'place',
    cell: (row) => (row.role === 'admin' ? 'Administrator' : 'User'),
  },
  {
    label: 'Sessions',
    width: 78,
    part: 'due',
    leaves: 'spare',
    cell: (row) =>
      row.sessions > 0 && (
        <a
          href={paths.users.sessions(row.id)}
          data-modal=""
          title={`Where ${row.username} is signed in`}
          aria-label={`${row.sessions} open, sessions of ${row.username}`}
        >
          {row.sessions} open
        </a>
      ),
  },
  { label: 'E-mail', leaves: 'room', cell: (row) => <Full text={row.email} /> },
  { label: 'Phone', width: 116, leaves: 'room', cell: (row) => <Full text={row.phone} /> },
  {
    label: 'Last login',
    sort: 'last_login',
    width: 144,
    leaves: 'spare',
    cell: (row) => showInstant(row.last_login, timeZone),
  },
  { label: 'Status', width: 70, part: 'sum', cell: (row) => <ActiveBadge active={row.is_active} /> },
  {
    label: 'Actions',
    isOnCard: true,
    width: 212,
    isActions: true,
    cell: (row) => (
      <RowActions label={row.username} wraps edit={paths.users.edit(row.id)}>
        <a href={paths.users.resetPassword(row.id)} data-modal="" aria-label={`Reset password of ${row.username}`}>
          Reset password
        </a>
        {row.hasSecondFactor && (
          <a href={paths.users.resetFactor(row.id)} data-modal="" aria-label={`Reset two-factor of ${row.username}`}>
            Reset two-factor
          </a>
        )}
        {row.username !== self && (
          <ToggleButton
            name={row.username}
            isActive={row.is_active}
            id={row.id}
            version={row.version}
            activate={paths.users.activate(row.id)}
            deactivate={paths.users.deactivate(row.id)}
          />
        )}
      </RowActions>
    ),
  },
]

const classOf = (row: UserRow) => (row.is_active ? undefined : 'is-inactive')

export const UserListRow = ({ row, self, timeZone }: { row: UserRow; self: string; timeZone: string }) => (
  <ListRow row={row} columns={columns(self, timeZone)} className={classOf(row)} />
)

export function UsersPage({ rows, query, meta, self, timeZone }: Props) {
  return (
    <>
      <PageHead title="Manage Users" lead="User accounts and their roles.">
        <a className="button button-primary" href={paths.users.create} data-modal="">
          <PlusIcon /> Add user
        </a>
      </PageHead>
      <List
        path={paths.users.list}
        query={query}
        meta={meta}
        rows={rows}
        caption="Users"
        search="Search username, name or e-mail"
        filters={[{ name: 'role', label: 'Role', any: 'All roles', options: ROLE_OPTIONS }, statusFilter]}
        empty={{ title: 'No users', hint: <a href={paths.users.create}>Add one</a> }}
        rowClass={classOf}
        columns={columns(self, timeZone)}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
