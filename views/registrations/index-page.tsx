import { REGISTRATION_TYPES } from '../../db/vocabulary'
import type { Meta } from '../../src/http/answers'
import { paths, withQuery } from '../../src/paths'
import type {
  RegistrationFilters as RegistrationQuery,
  Registration as RegistrationRow,
} from '../../src/registrations/queries'
import { showCount, showMoney } from '../format'
import { Island } from '../island'
import { Code, Full } from '../ui/cells'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { type Column, ListRow } from '../ui/list-rows'
import { PageHead } from '../ui/page-head'
import { BulkChoice, pickColumn } from '../ui/selection'
import { Tabs } from '../ui/tabs'
import { Day } from '../ui/today'

export type Log = 'pending' | 'complete' | 'expiring'
type Totals = {
  pending: number
  completed: number
  expiring: number
  expired: number
  total_cost: number
  total_vlt: number
}
type Props = { log: Log; rows: RegistrationRow[]; query: RegistrationQuery; meta: Meta; totals: Totals }

export function RegistrationsPage({ log, rows, query, meta, totals }: Props) {
  const path = paths.registrations.list
  return (
    <>
      <PageHead
        title="Vehicle Registrations"
        lead={`All registrations: cost ${showMoney(totals.total_cost)}, VLT ${showMoney(totals.total_vlt)}. ${showCount(totals.expiring)} expire in the next 30 days`}
      >
        <a className="button button-primary" href={paths.registrations.create} data-modal="">
          <PlusIcon /> Add registration
        </a>
      </PageHead>
      <Tabs
        label="Logs"
        tabs={[
          { href: path, label: `Pending Log (${showCount(totals.pending)})`, isCurrent: log === 'pending' },
          {
            href: withQuery(path, { tab: 'complete' }),
            label: `Complete Log (${showCount(totals.completed)})`,
            isCurrent: log === 'complete',
          },
          {
            href: withQuery(path, { tab: 'expiring' }),
            label: `Expiring in 30 days (${showCount(totals.expiring)})`,
            isCurrent: log === 'expiring',
          },
        ]}
      />
      <List
        path={path}
        file={paths.api.exports(`registrations-${log}`)}
        keptAs="registrations"
        live="registrations"
        rowScope=""
        query={{ ...query, tab: log === 'pending' ? null : log }}
        meta={meta}
        rows={rows}
        keep={log === 'pending' ? {} : { tab: log }}
        caption="Registrations"
        search="Search unit, plate or location"
        filters={[
          { name: 'registration_type', label: 'Type', any: 'All types', options: optionsOf(REGISTRATION_TYPES) },
        ]}
        empty={{
          title: log === 'pending' ? 'No papers are outstanding' : 'Nothing here yet',
          hint: <a href={paths.registrations.create}>Add a registration</a>,
        }}
        selection={{
          kind: 'registrations',
          list: log,
          fields: <BulkChoice name="received" label="Papers" yes="received" no="not received" />,
        }}
        columns={COLUMNS}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}

const COLUMNS: Column<RegistrationRow>[] = [
  pickColumn(),
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.vehicles.show(row.unit_number)}>{row.unit_number}</a>,
  },
  { label: 'Received', width: 76, part: 'state', cell: (row) => <ReceivedButton row={row} /> },
  { label: 'Plate', sort: 'plate_number', width: 90, part: 'main', cell: (row) => <Code text={row.plate_number} /> },
  { label: 'State', sort: 'state_province', width: 52, cell: (row) => row.state_province },
  {
    label: 'Location',
    sort: 'location_name',
    cell: (row) => <Full text={row.location_name} />,
  },
  { label: 'Type', sort: 'registration_type', width: 112, leaves: 'room', cell: (row) => row.registration_type },
  { label: 'Issued', sort: 'date_issued', width: 82, leaves: 'room', cell: (row) => <Day date={row.date_issued} /> },
  { label: 'Expires', sort: 'date_expires', width: 82, cell: (row) => <Day date={row.date_expires} /> },
  { label: 'Left', width: 92, part: 'due', cell: (row) => <Expiry row={row} /> },
  { label: 'Cost', sort: 'cost', align: 'right', width: 80, leaves: 'spare', cell: (row) => showMoney(row.cost) },
  { label: 'VLT', align: 'right', width: 80, part: 'sum', leaves: 'spare', cell: (row) => showMoney(row.vlt) },
  {
    label: 'Actions',
    isOnCard: true,
    isActions: true,
    width: 136,
    cell: (row) => (
      <div className="row-actions">
        <a
          href={paths.registrations.renew(row.id)}
          data-modal=""
          aria-label={`Renew registration of unit ${row.unit_number}`}
        >
          Renew
        </a>
        <a
          href={paths.registrations.edit(row.id)}
          data-modal=""
          aria-label={`Edit registration of unit ${row.unit_number}`}
        >
          Edit
        </a>
        <a
          href={paths.registrations.remove(row.id)}
          className="is-danger"
          data-modal=""
          aria-label={`Delete registration of unit ${row.unit_number}`}
        >
          Delete
        </a>
      </div>
    ),
  },
]

/** A registration's row after a change; it stays where it stands until the list is asked for again. */
export const RegistrationListRow = ({ row, isChanged }: { row: RegistrationRow; isChanged: boolean }) => (
  <ListRow row={row} columns={COLUMNS} className={isChanged ? 'is-changed' : undefined} />
)

const SOON_DAYS = 30
const URGENT_DAYS = 7

/** The days that a registration is still valid: red when it is over or nearly so. */
function Expiry({ row: { days_until_expiry: days } }: { row: RegistrationRow }) {
  const tone = days <= URGENT_DAYS ? 'is-danger' : days <= SOON_DAYS ? 'is-warning' : ''
  return (
    <span className={`due-far ${tone}`}>{days < 0 ? 'expired' : days === 1 ? '1 day' : `${showCount(days)} days`}</span>
  )
}

function ReceivedButton({ row }: { row: RegistrationRow }) {
  return (
    <form method="post" action={paths.registrations.toggle(row.id)} data-row-form="">
      <input type="hidden" name="version" value={row.version} />
      <input type="hidden" name="received" value={String(!row.received)} />
      <button
        type="submit"
        id={`received-${row.id}`}
        className={`yes-no${row.received ? ' is-yes' : ''}`}
        aria-pressed={row.received}
        aria-label={`Received, unit ${row.unit_number}`}
      >
        {row.received ? 'Y' : 'N'}
      </button>
    </form>
  )
}
