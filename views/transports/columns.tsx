import { StatusDropdown } from '../../islands/status-dropdown'
import type { Transport as TransportRow } from '../../src/features/transports/queries'
import { paths } from '../../src/platform/paths'
import { NONE, showCount, showMoney } from '../format'
import { Code, Full, MONEY_WIDTH, Route } from '../ui/cells'
import type { Column } from '../ui/list-rows'
import { actionsWidth, RowActions } from '../ui/row-actions'
import { pickColumn } from '../ui/selection'
import { Day, DueIn, daysBetween, lengthOf } from '../ui/today'

export const isLate = ({ status, estimated_arrival_date: eta }: TransportRow, today: string) =>
  status !== 'Delivered' && eta !== null && eta < today

/** Number of late days from which a bar has full length. */
const LATE_SCALE = 14

const MORE: Column<TransportRow>[] = [
  { label: 'Mileage', isExtra: true, align: 'right', width: 80, cell: ({ mileage }) => showCount(mileage) },
  { label: 'PO #', isExtra: true, width: 90, cell: (row) => <Code text={row.po_number} /> },
  { label: 'Notes', isExtra: true, width: 180, cell: (row) => <Full text={row.notes} /> },
  { label: 'Entered by', isExtra: true, width: 90, cell: (row) => <Full text={row.created_by} /> },
]

export const activeColumns = (today: string): Column<TransportRow>[] => [
  pickColumn(),
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.vehicles.show(row.unit_number)}>{row.unit_number}</a>,
  },
  { label: 'Status', sort: 'status', width: 163, part: 'state', cell: (row) => <TransportStatusCell row={row} /> },
  { label: 'Route', sort: 'location_in_name', part: 'main', cell: (row) => <Route row={row} /> },
  { label: 'Moves', sort: 'move_date', width: 76, leaves: 'tight', cell: (row) => <Day date={row.move_date} /> },
  {
    label: 'ETA',
    sort: 'estimated_arrival_date',
    width: 76,
    leaves: 'room',
    cell: (row) => <Day date={row.estimated_arrival_date} />,
  },
  {
    label: 'Due',
    width: 90,
    part: 'due',
    tone: ({ estimated_arrival_date: eta, ...row }) =>
      eta && isLate({ estimated_arrival_date: eta, ...row }, today)
        ? (lengthOf(Math.max(daysBetween(eta, today), 1), LATE_SCALE, 'danger') ?? 'len len-1 tone-danger')
        : undefined,
    cell: ({ estimated_arrival_date: eta, status }) =>
      status === 'Delivered' ? 'arrived' : eta ? <DueIn date={eta} today={today} /> : NONE,
  },
  { label: 'Type', sort: 'move_type', width: 52, leaves: 'room', cell: (row) => row.move_type },
  { label: 'RA #', sort: 'ra_number', width: 80, leaves: 'room', cell: (row) => <Code text={row.ra_number} /> },
  {
    label: 'Company',
    sort: 'transport_company_name',
    width: 152,
    leaves: 'spare',
    cell: (row) => <Full text={row.transport_company_name} />,
  },
  {
    label: 'Est. cost',
    sort: 'estimated_cost',
    align: 'right',
    width: MONEY_WIDTH,
    leaves: 'tight',
    part: 'sum',
    isCost: true,
    cell: (row) => showMoney(row.estimated_cost),
  },
  ...MORE,
  {
    label: 'Actions',
    isActions: true,
    width: actionsWidth(3),
    cell: (row) => (
      <RowActions label={row.unit_number} edit={paths.transports.edit(row.id)} remove={paths.transports.remove(row.id)}>
        <OrderLink row={row} />
      </RowActions>
    ),
  },
]

const OrderLink = ({ row: { id, unit_number } }: { row: TransportRow }) => (
  <a href={paths.transports.order(id)} className="icon-order" title={`Order and PO of ${unit_number}`}>
    Order
  </a>
)

const TransportStatusCell = ({ row: { id, unit_number, status, version } }: { row: TransportRow }) => (
  <StatusDropdown kind="transports" id={id} unit={unit_number} status={status} version={version} />
)

export const COMPLETED_COLUMNS: Column<TransportRow>[] = [
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.vehicles.show(row.unit_number)}>{row.unit_number}</a>,
  },
  { label: 'RA #', sort: 'ra_number', width: 80, leaves: 'room', cell: (row) => <Code text={row.ra_number} /> },
  { label: 'Route', sort: 'location_in_name', part: 'main', cell: (row) => <Route row={row} /> },
  { label: 'Moved', sort: 'move_date', width: 84, part: 'due', cell: (row) => <Day date={row.move_date} /> },
  { label: 'Arrived', width: 84, cell: (row) => <Day date={row.actual_arrival_date} /> },
  { label: 'Type', sort: 'move_type', width: 56, leaves: 'room', cell: (row) => row.move_type },
  {
    label: 'Company',
    sort: 'transport_company_name',
    width: 200,
    part: 'place',
    leaves: 'spare',
    cell: (row) => <Full text={row.transport_company_name} />,
  },
  {
    label: 'Final cost',
    sort: 'final_cost',
    align: 'right',
    width: MONEY_WIDTH,
    part: 'sum',
    isCost: true,
    cell: (row) => showMoney(row.final_cost),
  },
  ...MORE,
  {
    label: 'Actions',
    isActions: true,
    width: actionsWidth(2),
    cell: (row) => (
      <RowActions label={row.unit_number} edit={paths.transports.edit(row.id)}>
        <OrderLink row={row} />
      </RowActions>
    ),
  },
]
