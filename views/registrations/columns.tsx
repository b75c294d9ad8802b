import type { RegistrationRow } from '../../src/features/registrations/queries'
import { paths } from '../../src/platform/paths'
import { showDays, showMoney } from '../format'
import { Code, Full, MONEY_WIDTH } from '../ui/cells'
import { useColumns } from '../ui/layouts'
import { type Column, ListRow } from '../ui/list-rows'
import { actionsWidth, RowActions } from '../ui/row-actions'
import { RowForm } from '../ui/row-form'
import { pickColumn } from '../ui/selection'
import { Day } from '../ui/today'

export const REGISTRATION_COLUMNS: Column<RegistrationRow>[] = [
  pickColumn(),
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.vehicles.show(row.unit_number)}>{row.unit_number}</a>,
  },
  { label: 'Received', width: 64, part: 'state', cell: (row) => <ReceivedButton row={row} /> },
  { label: 'Plate', sort: 'plate_number', width: 88, part: 'main', cell: (row) => <Code text={row.plate_number} /> },
  { label: 'State', sort: 'state_province', width: 52, cell: (row) => row.state_province },
  {
    label: 'Location',
    sort: 'location_name',
    cell: (row) => <Full text={row.location_name} />,
  },
  { label: 'Type', sort: 'registration_type', width: 96, leaves: 'room', cell: (row) => row.registration_type },
  { label: 'Issued', sort: 'date_issued', width: 76, leaves: 'room', cell: (row) => <Day date={row.date_issued} /> },
  { label: 'Expires', sort: 'date_expires', width: 76, cell: (row) => <Day date={row.date_expires} /> },
  { label: 'Days left', width: 92, part: 'due', leaves: 'tight', cell: (row) => <Expiry row={row} /> },
  {
    label: 'Cost',
    sort: 'cost',
    align: 'right',
    width: MONEY_WIDTH,
    part: 'sum',
    leaves: 'spare',
    isCost: true,
    cell: (row) => showMoney(row.cost),
  },
  {
    label: 'VLT',
    align: 'right',
    width: MONEY_WIDTH,
    leaves: 'room',
    isCost: true,
    cell: (row) => showMoney(row.vlt),
  },
  { label: 'Notes', isExtra: true, width: 180, cell: (row) => <Full text={row.notes} /> },
  { label: 'Entered by', isExtra: true, width: 90, cell: (row) => <Full text={row.created_by} /> },
  {
    label: 'Actions',
    isOnCard: true,
    isActions: true,
    width: actionsWidth(3),
    cell: (row) => (
      <RowActions
        label={row.unit_number}
        edit={paths.registrations.edit(row.id)}
        remove={paths.registrations.remove(row.id)}
      >
        <a
          href={paths.registrations.renew(row.id)}
          className="icon-renew"
          data-modal=""
          title={`Renew registration of unit ${row.unit_number}`}
        >
          Renew
        </a>
      </RowActions>
    ),
  },
]

/**
 * Row of a registration that a user has just changed. It stays in the list, even if it no longer matches the filters,
 * until the list is reloaded.
 */
export const RegistrationListRow = ({ row, isChanged }: { row: RegistrationRow; isChanged: boolean }) => (
  <ListRow
    row={row}
    columns={useColumns('registrations', REGISTRATION_COLUMNS)}
    className={isChanged ? 'is-changed' : undefined}
  />
)

const SOON_DAYS = 30
const URGENT_DAYS = 7

function Expiry({ row: { days_until_expiry: days, is_renewed } }: { row: RegistrationRow }) {
  if (is_renewed) return <span className="also">renewed</span>
  const tone = days <= URGENT_DAYS ? 'is-danger' : days <= SOON_DAYS ? 'is-warning' : ''
  return (
    <span className={`due-far ${tone}`}>
      {days < 0 ? `${showDays(-days)} late` : days === 0 ? 'today' : showDays(days)}
    </span>
  )
}

function ReceivedButton({ row }: { row: RegistrationRow }) {
  return (
    <RowForm action={paths.registrations.toggle(row.id)}>
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
    </RowForm>
  )
}
