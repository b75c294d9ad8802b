import { StatusDropdown } from '../../islands/status-dropdown'
import type { OslEntry as OslRow } from '../../src/features/osl/queries'
import { paths } from '../../src/platform/paths'
import { areCostsSeen } from '../costs'
import { NONE, showCount, showMoney } from '../format'
import { Code, Full, MONEY_WIDTH } from '../ui/cells'
import type { Column } from '../ui/list-rows'
import { actionsWidth, RowActions } from '../ui/row-actions'
import { pickColumn } from '../ui/selection'
import { Day, lengthOf } from '../ui/today'

/**
 * Numbers of days and dollars at which bars have full length. The dollars are storage fees.
 * Both limits are fixed, so that users can compare bars over time.
 */
const [DAYS_SCALE, FEES_SCALE] = [240, 18_000]
/** Amount, in dollars, from which storage fees are highlighted. */
export const FEES_ALARM = 5000

const NEXT_STEP: Column<OslRow>[] = [
  { label: 'Waiting on', isExtra: true, width: 90, cell: ({ waiting_on }) => waiting_on ?? NONE },
  { label: 'Next step', isExtra: true, width: 160, cell: ({ next_action }) => <Full text={next_action} /> },
  { label: 'Next step on', isExtra: true, width: 96, cell: ({ next_action_on }) => <Day date={next_action_on} /> },
  { label: 'Owner', isExtra: true, width: 90, cell: ({ owner }) => <Full text={owner} /> },
  { label: 'Expected back', isExtra: true, width: 104, cell: ({ expected_return }) => <Day date={expected_return} /> },
]

const MORE: Column<OslRow>[] = [
  { label: 'RA #', isExtra: true, width: 80, cell: (row) => <Code text={row.ra_number} /> },
  {
    label: 'Daily rate',
    isExtra: true,
    align: 'right',
    width: MONEY_WIDTH,
    isCost: true,
    cell: (row) => showMoney(row.current_daily_rate),
  },
  { label: 'Entered by', isExtra: true, width: 90, cell: (row) => <Full text={row.created_by} /> },
]

export const ACTIVE_COLUMNS: Column<OslRow>[] = [
  pickColumn(),
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.osl.show(row.id)}>{row.unit_number}</a>,
  },
  {
    label: 'Status',
    sort: 'status',
    width: 150,
    part: 'state',
    cell: (row) => (
      <StatusDropdown kind="osl" id={row.id} unit={row.unit_number} status={row.status} version={row.version} />
    ),
  },
  { label: 'Problem', part: 'main', cell: (row) => <Full text={row.problem} max={60} /> },
  {
    label: 'Location',
    sort: 'location_name',
    width: 116,
    part: 'place',
    leaves: 'spare',
    cell: (row) => <Full text={row.location_name} />,
  },
  {
    label: 'Vendor',
    width: 120,
    leaves: 'room',
    cell: (row) =>
      row.vendor_id && areCostsSeen() ? (
        <a href={paths.vendorBilling.show(row.vendor_id)} title={row.vendor_name ?? undefined}>
          {row.vendor_name}
        </a>
      ) : (
        <Full text={row.vendor_name} />
      ),
  },
  { label: 'OSL date', sort: 'osl_date', width: 84, leaves: 'tight', cell: (row) => <Day date={row.osl_date} /> },
  {
    label: 'Days',
    align: 'right',
    width: 60,
    part: 'due',
    tone: (row) => lengthOf(row.days_out_of_service, DAYS_SCALE),
    cell: (row) => <span data-figure="days_out_of_service">{showCount(row.days_out_of_service)}</span>,
  },
  {
    label: 'Storage fees',
    align: 'right',
    width: 116,
    part: 'sum',
    isCost: true,
    tone: ({ storage_fees_applicable, storage_fees_total: fees }) =>
      storage_fees_applicable ? lengthOf(fees, FEES_SCALE, fees >= FEES_ALARM ? 'danger' : undefined) : undefined,
    cell: ({ storage_fees_applicable, storage_fees_total: fees }) =>
      storage_fees_applicable ? (
        <span data-money="storage_fees_total" className={fees >= FEES_ALARM ? 'figure-alarm' : undefined}>
          {showMoney(fees)}
        </span>
      ) : (
        NONE
      ),
  },
  ...NEXT_STEP,
  ...MORE,
  {
    label: 'Actions',
    isActions: true,
    width: actionsWidth(3),
    cell: (row) => (
      <RowActions label={row.unit_number} edit={paths.osl.edit(row.id)} remove={paths.osl.remove(row.id)}>
        <a href={paths.osl.show(row.id)} className="icon-notes" title={`Notes and fees of unit ${row.unit_number}`}>
          Notes
        </a>
      </RowActions>
    ),
  },
]

export const COMPLETED_COLUMNS: Column<OslRow>[] = [
  {
    label: 'Unit #',
    sort: 'unit_number',
    width: 70,
    part: 'unit',
    cell: (row) => <a href={paths.osl.show(row.id)}>{row.unit_number}</a>,
  },
  { label: 'Problem', part: 'main', cell: (row) => <Full text={row.problem} max={60} /> },
  {
    label: 'Location',
    sort: 'location_name',
    width: 150,
    part: 'place',
    leaves: 'spare',
    cell: (row) => <Full text={row.location_name} />,
  },
  { label: 'Vendor', width: 140, leaves: 'room', cell: (row) => <Full text={row.vendor_name} /> },
  { label: 'OSL date', sort: 'osl_date', width: 84, cell: (row) => <Day date={row.osl_date} /> },
  { label: 'Completed', sort: 'completed_at', width: 88, cell: (row) => <Day date={row.completed_on} /> },
  {
    label: 'Days',
    align: 'right',
    width: 60,
    part: 'due',
    cell: (row) => showCount(row.days_out_of_service),
  },
  {
    label: 'Storage fees',
    align: 'right',
    width: 116,
    part: 'sum',
    isCost: true,
    cell: (row) => (row.storage_fees_applicable ? showMoney(row.storage_fees_total) : NONE),
  },
  ...MORE,
  {
    label: 'Actions',
    isActions: true,
    width: actionsWidth(1),
    cell: (row) => <RowActions label={row.unit_number} edit={paths.osl.edit(row.id)} />,
  },
]
